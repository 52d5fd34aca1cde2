/** Shared context of the measurements. */
import type pg from 'pg';
import type { BenchStack } from '../support/stack.ts';
import { cpuBetween, readCpu, type CpuSeconds } from './cpu.ts';
import type { Receiver } from './receiver.ts';

export interface Bench {
  stack: BenchStack;
  pool: pg.Pool;
  receiver: Receiver;
  /** Seconds of each paced measurement. */
  seconds: number;
  /** Number of rounds in which compared measurements alternate. */
  rounds: number;
}

/** Returns the processor time that the product spends on `work`, with its result. */
export async function withCpu<T>(
  { pool, stack }: Bench,
  work: () => Promise<T>,
): Promise<{ outcome: T; cpu: CpuSeconds }> {
  const before = await readCpu(pool, stack.pids);
  const outcome = await work();
  return { outcome, cpu: cpuBetween(before, await readCpu(pool, stack.pids)) };
}
