/** The single JSON file of a benchmark. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import type { Figure } from './figures.ts';

/** Writes results to tools/bench/results, with the machine, the commit and the date. */
export function writeResults(
  benchmark: string,
  results: { figures: readonly Figure[]; [part: string]: unknown },
): void {
  const machine = {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
  };
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD']).toString().trim();
  const path = join(import.meta.dirname, '../bench/results', `${benchmark}.json`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(
    path,
    `${JSON.stringify({ benchmark, date: new Date().toISOString(), commit, machine, ...results }, null, 2)}\n`,
  );
}
