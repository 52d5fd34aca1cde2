/** Reports the figures of a benchmark: one table and one JSON file. */
import { printFigures, type Figure } from '../../load/figures.ts';
import { writeResults } from '../../load/results.ts';

export { percentile, printFigures, type Figure } from '../../load/figures.ts';

/** Prints the figures and writes them with the machine, the commit and the date. */
export function report(benchmark: string, figures: readonly Figure[]): void {
  printFigures(figures);
  writeResults(benchmark, { figures });
}
