/** Ready-made events, and readers of the rows that they leave in the tables. */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { takeEvents, type TakenOutcome, type TakeOptions } from '../../../db/events/takeEvents.ts';
import type { SentEvent } from '../../../domain/events/validateEvents.ts';

/** Adds items with no content beyond their ids, which is all that events need. */
export async function addItems(
  pool: pg.Pool,
  projectId: string,
  ids: readonly string[],
  deleted = false,
): Promise<void> {
  await pool.query(
    `insert into items (project_id, id, type, published_at, origin, available, deleted, revision, status, steps, created_at, updated_at)
     select $1, id, 'text', now(), 'api', not $3, $3, 1, 'ready', '{}', now(), now() from unnest($2::text[]) as i (id)`,
    [projectId, ids, deleted],
  );
}

/** Returns an `open` of item `a` by user `u` with a new id; override what the test is about. */
export function sent(change: Partial<SentEvent> = {}): SentEvent {
  return {
    id: randomUUID(),
    type: 'open',
    item: 'a',
    user: { userId: 'u', anonymousId: null, fingerprint: null },
    value: null,
    occurredAt: null,
    recommendationId: null,
    surface: null,
    position: null,
    orderId: null,
    quantity: null,
    price: null,
    ...change,
  };
}

export const by = (userId: string): Pick<SentEvent, 'user'> => ({
  user: { userId, anonymousId: null, fingerprint: null },
});

export function take(
  pool: pg.Pool,
  projectId: string,
  events: readonly SentEvent[],
  options: Partial<TakeOptions> = {},
): Promise<TakenOutcome> {
  return takeEvents(pool, events, {
    projectId,
    fingerprints: false,
    receivedAt: new Date(),
    impressionIdDays: 30,
    ...options,
  });
}

export interface EventRow {
  id?: string;
  item_id: string;
  type: string;
  value: number | null;
  occurred_at: Date;
  identity_id: string;
}

export async function readFacts(pool: pg.Pool, projectId: string): Promise<EventRow[]> {
  const { rows } = await pool.query<EventRow>('select * from events where project_id = $1 order by occurred_at, id', [
    projectId,
  ]);
  return rows;
}

export async function readStates(pool: pg.Pool, projectId: string): Promise<EventRow[]> {
  const { rows } = await pool.query<EventRow>(
    'select * from event_states where project_id = $1 order by type, item_id, identity_id',
    [projectId],
  );
  return rows;
}

export interface ImpressionRow {
  day: string;
  item_id: string;
  surface: string;
  position_bucket: number;
  count: number;
}

export async function readImpressions(pool: pg.Pool, projectId: string): Promise<ImpressionRow[]> {
  const { rows } = await pool.query<ImpressionRow>(
    `select day::text, item_id, surface, position_bucket, count::int from impression_counts where project_id = $1
      order by day, item_id collate "C", surface collate "C", position_bucket`,
    [projectId],
  );
  return rows;
}

/** Changes the rules of one of the project's event types. */
export async function changeType(
  pool: pg.Pool,
  projectId: string,
  code: string,
  change: { dedup_window_sec?: number; is_active?: boolean },
): Promise<void> {
  await pool.query(
    'update event_types set dedup_window_sec = coalesce($3, dedup_window_sec), is_active = coalesce($4, is_active) where project_id = $1 and code = $2',
    [projectId, code, change.dedup_window_sec ?? null, change.is_active ?? null],
  );
}
