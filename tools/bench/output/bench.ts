/** Shared context of the benchmark's parts. */
import type { BenchDatabase } from '../intake/database.ts';
import type { Figure } from '../support/report.ts';
import type { BenchStack } from '../support/stack.ts';
import type { RequestKind } from './kinds.ts';
import type { BenchClient } from './load.ts';
import type { World } from './world/fill.ts';

export interface OutputBench {
  stack: BenchStack;
  database: BenchDatabase;
  client: BenchClient;
  world: World;
  /** The kinds that the API supports. */
  kinds: readonly RequestKind[];
  /** Seconds of each measurement under load. */
  seconds: number;
  log(line: string): void;
}

export const figure = (name: string, value: number, unit: string, aim: string | null = null): Figure => ({
  name,
  value,
  unit,
  aim,
});

export const kindsNamed = ({ kinds }: Pick<OutputBench, 'kinds'>, ...names: readonly string[]): RequestKind[] =>
  kinds.filter(({ name }) => names.includes(name));
