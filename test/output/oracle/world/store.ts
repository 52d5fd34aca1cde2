/**
 * Stores worlds and reads them back: items through the API, results of analyses as the workers would store them.
 */
import type pg from 'pg';
import type { ProjectLimits } from '../../../../domain/accounts/projectLimits.ts';
import { DEFAULT_EVENT_TYPES } from '../../../../domain/events/eventTypes.ts';
import { completeStep } from '../../../../db/analysis/steps.ts';
import { putEventType } from '../../../../db/events/eventTypes.ts';
import { inTransaction } from '../../../../db/pool.ts';
import type { Client } from '../../../api/support/testApi.ts';
import * as pools from './pools.ts';
import type { Item, Results, State } from './world.ts';

export interface Place {
  pool: pg.Pool;
  projectId: string;
  call: Client;
}

/** @throws when the answer is not the expected one for this kind of write */
export async function send(
  { call }: Place,
  [method, path, body]: readonly [string, string, unknown?],
  statuses: readonly number[],
): Promise<Record<string, unknown>> {
  const answer = await call(method, path, body);
  if (!statuses.includes(answer.status))
    throw new Error(
      `${method} ${path} ${JSON.stringify(body)} answered ${answer.status} ${JSON.stringify(answer.body)}`,
    );
  return answer.body as Record<string, unknown>;
}

/** High enough that nothing is refused for its rate. */
const RATE = 100_000;
const BATCH = 500;

export async function prepareProject({ pool, projectId }: Omit<Place, 'call'>): Promise<void> {
  await pool.query(`update projects set limits = $2 where id = $1`, [
    projectId,
    { requests_per_second: RATE, output_per_second: RATE } satisfies ProjectLimits,
  ]);
  await pool.query(
    `insert into item_properties (project_id, name, type, filterable) select $1, name, type, true from unnest($2::text[], $3::text[]) as p (name, type)`,
    [projectId, [...pools.PROPERTIES.keys()], [...pools.PROPERTIES.values()]],
  );
  for (const type of DEFAULT_EVENT_TYPES) {
    const kind = pools.EVENTS.get(type.code);
    if (!kind) continue;
    await putEventType(pool, projectId, { ...type, hides_item: kind.hides, suppress_similar_days: kind.suppressDays });
  }
}

export async function storeState(place: Place, { items }: State): Promise<void> {
  const all = [...items.values()];
  for (let from = 0; from < all.length; from += BATCH) {
    const operations = all.slice(from, from + BATCH).map((item) => ({ op: 'put', id: item.id, data: putOf(item) }));
    const { status, body } = await place.call('POST', '/items/batch', { operations });
    const refused = body.results?.filter(({ ok }: { ok: boolean }) => !ok) ?? [];
    if (status !== 200 || refused.length > 0) throw new Error(`items were refused: ${JSON.stringify(refused)}`);
  }
  await storeResults(place, all);
}

/** Returns the body of a PUT. */
export function putOf({ type, title, description, author, publishedAt, properties, available }: Item): object {
  const medium = type === 'mixed' ? 'image' : type;
  return {
    type,
    title,
    description,
    author,
    published_at: new Date(publishedAt).toISOString(),
    properties,
    available,
    ...(type !== 'text' && { media: [{ kind: medium, url: 'https://media.example/one' }] }),
  };
}

/** Stores results in one transaction, with the step states that give the items their statuses. */
export async function storeResults({ pool, projectId }: Omit<Place, 'call'>, items: readonly Item[]): Promise<void> {
  const found = items.flatMap(({ id, results }) => (results === null ? [] : [{ id, results }]));
  await inTransaction(pool, async (client) => {
    const ids = items.map(({ id }) => id);
    for (const table of ['item_chunks', 'item_summaries'])
      await client.query(`delete from ${table} where project_id = $1 and item_id = any($2)`, [projectId, ids]);
    await insertSummaries(client, projectId, found);
    await insertChunks(client, projectId, found);
    await client.query(
      `update items i
          set status = w.status, updated_at = clock_timestamp(),
              steps = (select jsonb_object_agg(key, step || jsonb_build_object('state', w.states ->> key)) from jsonb_each(i.steps) as s (key, step))
         from jsonb_to_recordset($2::jsonb) as w (id text, status text, states jsonb)
        where i.project_id = $1 and i.id = w.id`,
      [projectId, JSON.stringify(items.map((item) => ({ id: item.id, status: item.status, states: statesOf(item) })))],
    );
  });
}

/**
 * Ends the summary of an item in progress as a worker does, while its embedding waits: the status of the item stays.
 */
export async function storeSummary(
  { pool, projectId }: Omit<Place, 'call'>,
  { id, results }: { id: string; results: Results },
): Promise<void> {
  const { rows } = await pool.query<{ revision: number }>(
    `update items set steps = jsonb_set(jsonb_set(steps, '{summary,state}', '"running"'), '{embedding,state}', '"waiting"')
      where project_id = $1 and id = $2 returning (steps #>> '{summary,revision}')::int as revision`,
    [projectId, id],
  );
  const work = { projectId, itemId: id, step: 'summary' as const, revision: rows[0]?.revision ?? 0 };
  const stored = await completeStep(pool, work, { state: 'done', error: null }, (client) =>
    insertSummaries(client, projectId, [{ id, results }]),
  );
  if (stored === null) throw new Error(`the summary of ${id} was outdated`);
}

interface Found {
  id: string;
  results: Results;
}

async function insertSummaries(client: pg.PoolClient, projectId: string, found: readonly Found[]): Promise<void> {
  const rows = found.map(({ id, results: { topics, tags, age } }) => ({
    id,
    summary: { summary: '', topics, tags, age_rating: age, entities: [] },
  }));
  await client.query(
    `insert into item_summaries (project_id, item_id, summary, provenance)
     select $1, id, summary, '{}' from jsonb_to_recordset($2::jsonb) as w (id text, summary jsonb)
     on conflict (project_id, item_id) do update set summary = excluded.summary`,
    [projectId, JSON.stringify(rows)],
  );
}

async function insertChunks(client: pg.PoolClient, projectId: string, found: readonly Found[]): Promise<void> {
  const chunks = found.flatMap(({ id, results: { vectors, model } }) =>
    vectors.map((vector, ordinal) => ({
      id,
      ordinal,
      model,
      bytes: Buffer.from(Uint8Array.from(new Uint8Array(vector.buffer))),
    })),
  );
  const column = <T>(of: (chunk: (typeof chunks)[number]) => T): T[] => chunks.map(of);
  await client.query(
    `insert into item_chunks (project_id, item_id, ordinal, text, vector, model)
     select $1, id, ordinal, '', vector, model from unnest($2::text[], $3::int[], $4::bytea[], $5::text[]) as w (id, ordinal, vector, model)`,
    [
      projectId,
      column(({ id }) => id),
      column(({ ordinal }) => ordinal),
      column(({ bytes }) => bytes),
      column(({ model }) => model),
    ],
  );
}

/** Returns step states that give the status, so that a later write by the API derives the same one. */
function statesOf({ type, status }: Item): Record<string, string> {
  const media = type === 'text' ? 'skipped' : 'done';
  const [summary, embedding] = {
    ready: ['done', 'done'],
    partial: ['failed', 'done'],
    failed: ['done', 'failed'],
    queued: ['queued', 'queued'],
    processing: ['done', 'waiting'],
    deferred: ['deferred', 'deferred'],
  }[status] as [string, string];
  const before = status === 'queued' ? 'queued' : media;
  return { prepare: before, speech: before, vision: before, summary, embedding };
}

/**
 * Returns the difference between the world and its model, or null when they agree. Findings are meaningless when
 * they differ.
 */
export async function differenceFrom(
  { pool, projectId }: Omit<Place, 'call'>,
  { items }: State,
): Promise<string | null> {
  const { rows } = await pool.query<Record<string, unknown> & { id: string }>(
    `select id, type, title, author, published_at as "publishedAt", properties, available, deleted, status from items where project_id = $1`,
    [projectId],
  );
  if (rows.length !== items.size) return `${rows.length} items, not ${items.size}`;
  for (const { publishedAt, properties, ...row } of rows) {
    const item = items.get(row.id);
    const stored = { ...row, publishedAt: (publishedAt as Date).getTime() };
    for (const [field, value] of Object.entries(stored))
      if (item?.[field as keyof Item] !== value)
        return `${row.id}: ${field} is ${JSON.stringify(value)}, not ${JSON.stringify(item?.[field as keyof Item])}`;
    if (sorted(properties) !== sorted(item?.properties))
      return `${row.id}: properties are ${sorted(properties)}, not ${sorted(item?.properties)}`;
  }
  return null;
}

const sorted = (value: unknown): string =>
  JSON.stringify(Object.entries((value ?? {}) as object).toSorted(([a], [b]) => (a < b ? -1 : 1)));

/**
 * Finds people who must not be stored: identities that requests alone named, and snapshots with a person that must
 * have none.
 * @param nameless whether the snapshots of an answer must not have a person, by the id of the answer
 */
export async function strayPeople(
  { pool, projectId }: Omit<Place, 'call'>,
  nameless: ReadonlyMap<string, boolean>,
): Promise<string[]> {
  const { rows } = await pool.query<{ stray: string }>(
    `select external_id as stray from identities where project_id = $1 and external_id like 'stranger-%'
     union all
     select id from output_snapshots where project_id = $1 and id = any($2) and identity_id is not null`,
    [projectId, [...nameless].flatMap(([id, isNameless]) => (isNameless ? [id] : []))],
  );
  return rows.map(({ stray }) => stray);
}
