/** Writes the single table and the single JSON file of a benchmark. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { printFigures, type Figure } from '../../load/figures.ts';

export { percentile, printFigures, type Figure } from '../../load/figures.ts';

/** Prints the figures and writes them with the machine, the commit and the date. */
export function report(benchmark: string, figures: readonly Figure[]): void {
  const machine = {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
  };
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD']).toString().trim();
  printFigures(figures);
  const path = join(import.meta.dirname, '../results', `${benchmark}.json`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(
    path,
    `${JSON.stringify({ benchmark, date: new Date().toISOString(), commit, machine, figures }, null, 2)}\n`,
  );
}
