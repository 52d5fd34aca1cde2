/** Measures items through the batch operation, and reads of one item. */
import type { Load } from '../support/load.ts';
import { percentile, type Figure } from '../support/report.ts';
import { CATALOGUE, itemId, ITEMS_PER_REQUEST, itemsBody } from './bodies.ts';
import type { BenchDatabase } from './database.ts';

const CONNECTIONS = 4;
const READ_CONNECTIONS = 16;
const READS = 10_000;
const PACED_SECONDS = 15;
/** New items of the paced batches, besides the catalogue. */
const PACED_FROM = CATALOGUE / ITEMS_PER_REQUEST;

const batch = (body: string) => ({ method: 'POST' as const, path: '/items/batch', body });

/** Measures the intake alone: the relay must be paused, because the analysis has its own benchmark. */
export async function measureItems(load: Load, database: BenchDatabase): Promise<Figure[]> {
  const bodies = Array.from({ length: CATALOGUE / ITEMS_PER_REQUEST }, (_, n) => itemsBody(n));
  const batches = await load.atFullSpeed((n) => batch(bodies[n] ?? itemsBody(n)), bodies.length, CONNECTIONS);
  const paced = Array.from({ length: Math.ceil((batches / 2) * PACED_SECONDS) }, (_, n) => itemsBody(PACED_FROM + n));
  const latencies = await load.atPace((n) => batch(paced[n] ?? itemsBody(PACED_FROM + n)), batches / 2, PACED_SECONDS);
  await dropPendingAnalysis(database);
  return [
    {
      name: 'new text items of 2.5 KB through POST /items/batch',
      value: batches * ITEMS_PER_REQUEST,
      unit: 'items/s',
      aim: null,
    },
    { name: 'POST /items/batch of 500 at half load, p50', value: percentile(latencies, 50), unit: 'ms', aim: null },
    { name: 'POST /items/batch of 500 at half load, p99', value: percentile(latencies, 99), unit: 'ms', aim: null },
  ];
}

/** Removes the pending analysis of the catalogue, so that it does not run during another measurement. */
async function dropPendingAnalysis(database: BenchDatabase): Promise<void> {
  await database.query('delete from outbox');
  await database.query(
    `update items set status = 'ready', steps = (
       select jsonb_object_agg(key, value || '{"state": "done"}'::jsonb) from jsonb_each(steps))`,
  );
  await database.query('vacuum analyze items');
}

export async function measureReads(load: Load): Promise<Figure[]> {
  const read = () => ({ method: 'GET' as const, path: `/items/${itemId(Math.floor(Math.random() * CATALOGUE))}` });
  await load.atFullSpeed(read, READS / 5, READ_CONNECTIONS);
  const perSecond = await load.atFullSpeed(read, READS, READ_CONNECTIONS);
  const latencies = await load.atPace(read, perSecond / 2, PACED_SECONDS);
  return [
    { name: 'GET /items/{id}', value: perSecond, unit: 'requests/s', aim: null },
    { name: 'GET /items/{id} at half load, p50', value: percentile(latencies, 50), unit: 'ms', aim: null },
    { name: 'GET /items/{id} at half load, p99', value: percentile(latencies, 99), unit: 'ms', aim: null },
  ];
}
