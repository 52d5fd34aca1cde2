/**
 * `npm run quality:output -- FILE [--columns 0,1,3]`: how much the model finds of what people met later, beside popularity,
 * item kNN and EASE. FILE has a row (user, item, time) for each event, as CSV or TSV; times are seconds or milliseconds since
 * 1970, or ISO texts. Nothing is stored.
 */
import { parseArgs } from 'node:util';
import { compare } from './quality/compare.ts';
import { readTable } from './quality/readTable.ts';
import { lastWindow, lastWindowByPerson } from '../output/training/window.ts';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { columns: { type: 'string' } } });
const [path] = positionals;
if (path === undefined) {
  console.error('usage: npm run quality:output -- FILE [--columns 0,1,3]');
  process.exit(2);
}
const data = await readTable(path, { columns: values.columns?.split(',').map(Number) ?? null });
console.log(`${data.items.length} events of ${data.offsets.length - 1} people and ${data.ids.length} items`);

const SPLITS = {
  'by time: the last window': lastWindow(data),
  'by person: the last fifth of each': lastWindowByPerson(data, 0.2),
  'by person: the last item of each': lastWindowByPerson(data, 0),
};
for (const [name, window] of Object.entries(SPLITS)) {
  const comparison = window && compare(data, window);
  console.log(`\n${name}${comparison ? `, ${comparison.cases} people` : ': too few people'}`);
  if (!comparison) continue;
  console.table(
    Object.fromEntries(
      comparison.results.map(({ name: row, found }) => [
        row,
        { 'nDCG@10': found.ndcg.toFixed(4), 'recall@10': found.recall.toFixed(4) },
      ]),
    ),
  );
  const { taste, transition, halfLifeDays, blend } = comparison.settings;
  console.log(JSON.stringify({ taste, transition, halfLifeDays, blend }));
}
