/**
 * The rows that belong to an item must be deleted or kept on purpose when it is deleted. An item is deleted by a flag,
 * so a foreign key that cascades removes nothing.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

const DB = join(import.meta.dirname, '../../../db');

/** A file of db/ that removes the rows, or a sentence that says why they stay. */
type Way = string;

interface Leaving {
  /** When the item is deleted. */
  deleted: Way;
  /** When its content changes. */
  rewritten: Way;
}

const RETURNS = 'returns with the item when a PUT undoes the deletion';
const RESULT: Leaving = { deleted: RETURNS, rewritten: 'currentResults.ts' };

const TABLES: Readonly<Record<string, Leaving>> = {
  analysis_drafts: { deleted: RETURNS, rewritten: 'analysis/drafts.ts' },
  item_chunks: RESULT,
  item_media: { deleted: RETURNS, rewritten: 'items/media.ts' },
  item_moderations: RESULT,
  item_picture_vectors: RESULT,
  item_summaries: RESULT,
};

/** Tables that name items without belonging to them, and what becomes of the rows of a deleted item. */
const NAMING: Readonly<Record<string, string>> = {
  analysis_usage: 'stays, because it was paid for',
  deliveries: 'is dropped when its turn comes',
  event_changes: 'is counted within minutes',
  event_rejections: 'goes after a time, because it shows what was sent',
  event_states: 'stays, because it is the history of people',
  events: 'stays, because it is the history of people',
  import_errors: 'goes with its import',
  impression_counts: 'stays, because it counts a day',
  item_companions: 'is replaced with the next model',
  item_event_totals: 'stays, because it counts events of deleted people',
  item_frames: 'belongs to item_media',
  item_popularity: 'goes when its day is old',
  item_statistics: 'goes when its day is old',
  item_transcripts: 'belongs to item_media',
  order_lines: 'goes with its order',
  output_forgotten: 'goes with the next training',
  output_snapshots: 'goes after a time',
  popularity_versions: 'stays, because its number only grows',
  recent_states: 'is gone within an hour',
  volume_reservations: 'is released by db/analysis/volume.ts',
};

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('TABLES lists every table with a foreign key to items', async () => {
  const { rows } = await database.pool.query<{ name: string }>(
    `select distinct conrelid::regclass::text as name from pg_constraint
      where contype = 'f' and confrelid = 'items'::regclass order by 1`,
  );
  expect(rows.map(({ name }) => name)).toEqual(Object.keys(TABLES));
});

it('NAMING lists every other table that names items', async () => {
  const { rows } = await database.pool.query<{ name: string }>(
    `select distinct c.relname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and a.attnum > 0 and not a.attisdropped and a.attname ~ '(^|_)item(_ids?)?$'
        and a.atttypid <> 'boolean'::regtype and c.relname <> all($1)`,
    [Object.keys(TABLES)],
  );
  expect(rows.map(({ name }) => name).sort()).toEqual(Object.keys(NAMING));
});

const WAYS = Object.entries(TABLES).flatMap(([table, ways]) =>
  Object.values(ways)
    .filter((way: Way) => way.endsWith('.ts'))
    .map((way: Way): [string, Way] => [table, way]),
);

it.each(WAYS)('the rows of %s are removed by db/%s', (table, file) => {
  const path = join(DB, file);
  expect(existsSync(path) && new RegExp(`delete from ${table}\\b`).test(readFileSync(path, 'utf8'))).toBe(true);
});

it('a trigger stamps the revision of each result', async () => {
  const { rows } = await database.pool.query<{ name: string }>(
    `select c.relname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname like 'item\\_%'
        and a.attname = 'revision' and not a.attisdropped
        and not exists (select from pg_trigger t join pg_proc p on p.oid = t.tgfoid
                         where t.tgrelid = c.oid and p.proname = 'stamp_revision')`,
  );
  expect(rows).toEqual([]);
});
