/** Compares events over HTTP with COPY of the very same rows, both as the table grows. */
import { join } from 'node:path';
import type { Load } from '../support/load.ts';
import { percentile, type Figure } from '../support/report.ts';
import { CATALOGUE, EVENTS_PER_REQUEST, factsBody, mixedBody, PEOPLE } from './bodies.ts';
import type { BenchDatabase } from './database.ts';

const CONNECTIONS = 8;
const ROUNDS = 3;
const REQUESTS = 150;
const PACED_SECONDS = 20;
/** Sizes of the table at which the rate is measured, in millions of rows. */
const SIZES = [0, 1, 2, 5, 10, 20];
const FILL_ROWS = 500_000;

const makePosts = (count: number, body: () => string) => {
  const bodies = Array.from({ length: count }, body);
  return (n: number) => ({ method: 'POST' as const, path: '/events', body: bodies[n] ?? body() });
};

async function eventsPerSecond(load: Load, body: () => string, requests = REQUESTS): Promise<number> {
  return EVENTS_PER_REQUEST * (await load.atFullSpeed(makePosts(requests, body), requests, CONNECTIONS));
}

/** Deletes the rows that were stored since `since` and copies them in again: the same rows, table and indexes. */
async function copyRowsPerSecond(database: BenchDatabase, since: string): Promise<number> {
  const file = join(database.folder, 'events.copy');
  await database.query(`copy (select * from events where received_at >= '${since}') to '${file}' (format binary)`);
  const [removed] = await database.query<{ rows: number }>(
    'with gone as (delete from events where received_at >= $1 returning 1) select count(*)::int as rows from gone',
    [since],
  );
  await database.query('vacuum events');
  const start = performance.now();
  await database.query(`copy events from '${file}' (format binary)`);
  return (removed?.rows ?? 0) / ((performance.now() - start) / 1000);
}

async function now(database: BenchDatabase): Promise<string> {
  const [row] = await database.query<{ now: string }>('select clock_timestamp()::text as now');
  if (!row) throw new Error('the database returned no time');
  return row.now;
}

/** Stores the people in advance, because most visitors of a site are already known. */
async function storePeople(database: BenchDatabase, projectId: string): Promise<void> {
  await database.query(
    `insert into identities (project_id, kind, external_id) select $1, 'user', 'user-' || n from generate_series(0, $2 - 1) as n on conflict do nothing`,
    [projectId, PEOPLE],
  );
  await database.query('vacuum analyze identities');
}

export async function measureEvents(load: Load, database: BenchDatabase, projectId: string): Promise<Figure[]> {
  await storePeople(database, projectId);
  await eventsPerSecond(load, factsBody, 30);
  const posted: number[] = [];
  const copied: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const since = await now(database);
    posted.push(await eventsPerSecond(load, factsBody));
    copied.push(await copyRowsPerSecond(database, since));
  }
  const ratios = posted.map((rate, round) => rate / (copied[round] ?? Number.NaN));
  const mixedRate = await eventsPerSecond(load, mixedBody);
  const half = percentile(posted, 50) / EVENTS_PER_REQUEST / 2;
  const latencies = await load.atPace(makePosts(Math.ceil(half * PACED_SECONDS), factsBody), half, PACED_SECONDS);
  return [
    { name: 'events through HTTP, one API process', value: percentile(posted, 50), unit: 'events/s', aim: null },
    { name: 'the same rows by COPY into the same table', value: percentile(copied, 50), unit: 'rows/s', aim: null },
    { name: 'events through HTTP divided by COPY', value: percentile(ratios, 50), unit: 'ratio', aim: '>= 0.5' },
    { name: 'mixed events (60 % impressions)', value: mixedRate, unit: 'events/s', aim: null },
    { name: 'POST /events of 1,000 at half load, p50', value: percentile(latencies, 50), unit: 'ms', aim: null },
    { name: 'POST /events of 1,000 at half load, p99', value: percentile(latencies, 99), unit: 'ms', aim: null },
  ];
}

/**
 * Adds rows, as old traffic would have left them, until the table holds `rows`. It requests no checkpoint: after a
 * checkpoint, the first change to each page logs the whole page. Over a quarter of an hour of steady traffic, these
 * full pages are a small part of the work; in the first minutes they would be most of it.
 */
async function fill(database: BenchDatabase, projectId: string, rows: number): Promise<void> {
  const [has] = await database.query<{ rows: number }>('select count(*)::int as rows from events');
  for (let left = rows - (has?.rows ?? 0); left > 0; left -= FILL_ROWS) {
    await database.query(
      `insert into events (project_id, id, identity_id, item_id, type, occurred_at, received_at, recommendation_id, surface, position)
       select $1, gen_random_uuid()::text, 1 + floor(random() * (select max(id) from identities)), 'item-' || floor($2 * random() ^ 2), 'open',
              now() - random() * interval '700 days', now() - interval '1 day', gen_random_uuid()::text, 'feed', floor(random() * 30)
         from generate_series(1, $3)`,
      [projectId, CATALOGUE, Math.min(left, FILL_ROWS)],
    );
  }
  await database.query('vacuum analyze events');
}

/** @param most size at which the growth ends, in millions of rows */
export async function measureGrowth(
  load: Load,
  database: BenchDatabase,
  projectId: string,
  most: number,
): Promise<Figure[]> {
  await database.query('truncate events');
  const rates: { size: number; rate: number }[] = [];
  for (const size of SIZES.filter((millions) => millions <= most)) {
    await fill(database, projectId, size * 1_000_000);
    const tries: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) tries.push(await eventsPerSecond(load, factsBody, REQUESTS / 3));
    rates.push({ size, rate: percentile(tries, 50) });
  }
  const first = rates[0]?.rate ?? Number.NaN;
  const least = Math.min(...rates.map(({ rate }) => rate));
  return [
    ...rates.map(({ size, rate }) => ({
      name: `events through HTTP into a table of ${size} million`,
      value: rate,
      unit: 'events/s',
      aim: null,
    })),
    {
      name: 'the slowest of these divided by that of the empty table',
      value: least / first,
      unit: 'ratio',
      aim: '>= 0.8',
    },
  ];
}
