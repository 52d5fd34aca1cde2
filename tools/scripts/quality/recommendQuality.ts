/**
 * `npm run quality:output -- FILE [--columns 0,1,3] [--windows 7]`: measures how much of what people met later the
 * model finds, compared with popularity, item kNN and EASE. FILE has one row (user, item, time) per event, as CSV or
 * TSV; times are seconds or milliseconds since 1970, or ISO texts. `--windows` makes this many splits by time: after 40
 * % of the events, …, after all; a single window with a few dozen people is dominated by chance. Nothing is stored.
 */
import { parseArgs } from 'node:util';
import { compare, untilShare, type RankerResults } from './compare.ts';
import { readTable } from './readTable.ts';
import { tellTable } from './tellTable.ts';
import type { Interactions } from '../../../output/training/rows/interactions.ts';
import { lastWindow, lastWindowByPerson, type Window } from '../../../output/training/evaluate/evaluationWindow.ts';

/** The first of several windows ends after this share of the events. */
const FIRST_WINDOW = 0.4;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { columns: { type: 'string' }, windows: { type: 'string' } },
});
const [path] = positionals;
if (path === undefined) {
  console.error('usage: npm run quality:output -- FILE [--columns 0,1,3] [--windows 7]');
  process.exit(2);
}
const columns = values.columns?.split(',').map(Number) ?? null;
const data = await readTable(path, { columns }).catch((error: unknown): never => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
console.log(`${data.items.length} events of ${data.offsets.length - 1} people and ${data.ids.length} items`);
if (values.windows === undefined) tellSplits();
else tellWindows(Number(values.windows));

function tellSplits(): void {
  tell('by time: the last window', data, lastWindow(data));
  tell('by person: the last fifth of each', data, lastWindowByPerson(data, 0.2));
  tell('by person: the last item of each', data, lastWindowByPerson(data, 0));
}

function tellWindows(windows: number): void {
  const all = Map.groupBy(
    Array.from({ length: windows }, (_, index) => {
      const share = windows === 1 ? 1 : FIRST_WINDOW + ((1 - FIRST_WINDOW) * index) / (windows - 1);
      const before = untilShare(data, share);
      return tell(`by time, after ${Math.round(100 * share)} % of the events`, before, lastWindow(before));
    }).flat(),
    ({ name }) => name,
  );
  const results = [...all].map(([name, each]) => ({ name, found: each.flatMap(({ found }) => found) }));
  console.log(`\nall windows together, ${results[0]?.found.length ?? 0} people`);
  tellTable(results);
}

function tell(name: string, events: Interactions, window: Window | null): readonly RankerResults[] {
  const comparison = window && compare(events, window);
  console.log(`\n${name}${comparison ? `, ${window.cases.length} people` : ': too few people'}`);
  if (!comparison) return [];
  tellTable(comparison.results);
  const { taste, transition, halfLifeDays, blend } = comparison.settings;
  console.log(JSON.stringify({ taste, transition, halfLifeDays, blend }));
  return comparison.results;
}
