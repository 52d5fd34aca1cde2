import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { readSeenItems } from '../../../db/output/person/seen.ts';
import { readItemDays } from '../../../db/popularity/readPopularity.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  // The statistics of an empty installation, with which a long-lived connection may have made its plan.
  await database.pool.query('vacuum analyze events, event_states, item_popularity');
});
afterAll(() => database?.drop());

/** Returns the indexes that the generic plan of a prepared statement uses. */
async function indexesOf(read: (pool: pg.Pool) => Promise<unknown>): Promise<string[]> {
  let text = '';
  const recorder = { query: async (query: { text: string }) => ({ rows: [], ...((text = query.text) && {}) }) };
  await read(recorder as unknown as pg.Pool);
  const client = await database.pool.connect();
  try {
    await client.query('set enable_seqscan = off');
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain (generic_plan) ${text}`);
    return rows.flatMap(
      (row) => /Scan (?:using|on) (\w+_(?:pkey|met|item|best|unexpanded|\w+_idx))/.exec(row['QUERY PLAN'])?.[1] ?? [],
    );
  } finally {
    client.release(true);
  }
}

describe('a plan that was made while the tables were empty', () => {
  it('looks up the counts of each item by key', async () => {
    expect(await indexesOf((pool) => readItemDays(pool, 'p', ['a', 'b'], 20_000))).toEqual(['item_popularity_pkey']);
  });

  it('looks up what a person has used by person and item', async () => {
    expect(await indexesOf((pool) => readSeenItems(pool, 'p', ['1', '2'], ['a', 'b']))).toEqual([
      'orders_unexpanded',
      'order_lines_pkey',
      'events_met',
      'event_states_pkey',
    ]);
  });
});
