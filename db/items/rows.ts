/** Bulk inserts and updates of item rows. */
import type pg from 'pg';
import { UNREAD, type ItemState } from '../../domain/items/operations.ts';

/** An item before and after the operations of one transaction. */
export interface ItemChange {
  before: ItemState | null;
  after: ItemState;
}

const COLUMNS = `id text, type text, title text, description text, body text, author text, url text, published_at timestamptz,
  properties jsonb, origin text, available boolean, deleted boolean, revision bigint, status text, steps jsonb, request_id text, keeps_body boolean`;

/**
 * Inserts new items in the order of their ids, so that two transactions never deadlock.
 * @returns the ids of those that did not exist
 */
export async function insertItems(
  client: pg.PoolClient,
  projectId: string,
  states: readonly ItemState[],
): Promise<Set<string>> {
  if (states.length === 0) return new Set();
  const { rows } = await client.query<{ id: string }>(
    `insert into items (project_id, id, type, title, description, body, author, url, published_at, properties,
                        origin, available, deleted, revision, status, steps, request_id, created_at, updated_at)
     select $1, id, type, title, description, body, author, url, coalesce(published_at, date_trunc('milliseconds', now())), properties,
            origin, available, deleted, revision, status, steps, request_id, date_trunc('milliseconds', now()), clock_timestamp()
       from json_to_recordset($2::json) as w (${COLUMNS}) order by id
     on conflict do nothing returning id`,
    [projectId, rowsOf(states.map((after) => ({ before: null, after })))],
  );
  return new Set(rows.map((row) => row.id));
}

/**
 * Stores the new content of locked items. An unchanged body is not written again. The ids are passed twice because the
 * planner estimates any JSON at 100 rows and would scan the table for a single one.
 */
export async function updateItems(
  client: pg.PoolClient,
  projectId: string,
  changes: readonly ItemChange[],
): Promise<void> {
  if (changes.length === 0) return;
  await client.query(
    `update items i set type = w.type, title = w.title, description = w.description, author = w.author, url = w.url,
            body = case when w.keeps_body then i.body else w.body end, published_at = w.published_at, properties = w.properties,
            origin = w.origin, available = w.available, deleted = w.deleted, revision = w.revision, status = w.status, steps = w.steps,
            request_id = coalesce(w.request_id, i.request_id), updated_at = clock_timestamp()
       from json_to_recordset($2::json) as w (${COLUMNS})
      where i.project_id = $1 and i.id = w.id and i.id = any($3)`,
    [projectId, rowsOf(changes), changes.map(({ after }) => after.id)],
  );
}

function rowsOf(changes: readonly ItemChange[]): string {
  return JSON.stringify(
    changes.map(({ before, after }) => {
      const {
        publishedAt,
        requestId,
        media: _media,
        redo: _redo,
        isRewritten: _isRewritten,
        createdAt: _createdAt,
        body,
        ...plain
      } = after;
      const keepsBody = before !== null && before.body === body;
      return {
        ...plain,
        published_at: publishedAt,
        request_id: requestId,
        keeps_body: keepsBody,
        body: keepsBody || body === UNREAD ? null : body,
      };
    }),
  );
}
