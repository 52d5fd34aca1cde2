/** Bulk inserts and updates of item rows. */
import type pg from 'pg';
import { UNREAD, type ItemState } from '../../domain/items/decideOperation.ts';
import {
  ASSIGNMENTS,
  columnValues,
  INSERTED_COLUMNS,
  INSERTED_VALUES,
  SENT_COLUMNS,
  type StoredField,
} from './columns.ts';

/** An item before and after the operations of one transaction. */
export interface ItemChange {
  before: ItemState | null;
  after: ItemState;
}

type NullableField = { [Field in StoredField]: null extends ItemState[Field] ? Field : never }[StoredField];

/** The row of a new item; absent fields are null, and an item without a time of publication is published now. */
export type NewItem = Pick<ItemState, Exclude<StoredField, NullableField>> & Partial<Pick<ItemState, NullableField>>;

const INSERT = `
  insert into items (project_id, ${INSERTED_COLUMNS}, created_at, updated_at)
  select $1, ${INSERTED_VALUES}, date_trunc('milliseconds', now()), clock_timestamp()
    from json_to_recordset($2::json) as w (${SENT_COLUMNS}) order by w.id
  on conflict do nothing returning id`;

const UPDATE = `
  update items i set ${ASSIGNMENTS}, updated_at = clock_timestamp()
    from json_to_recordset($2::json) as w (${SENT_COLUMNS})
   where i.project_id = $1 and i.id = w.id and i.id = any($3)`;

/**
 * Inserts new items in the order of their ids, so that two transactions never deadlock.
 * @returns the ids of those that did not exist
 */
export async function insertItems(
  client: pg.PoolClient,
  projectId: string,
  items: readonly NewItem[],
): Promise<Set<string>> {
  if (items.length === 0) return new Set();
  const { rows } = await client.query<{ id: string }>({
    name: 'items-insert',
    text: INSERT,
    values: [projectId, JSON.stringify(items.map(columnValues))],
  });
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
  await client.query(UPDATE, [
    projectId,
    JSON.stringify(changes.map(changedRow)),
    changes.map(({ after }) => after.id),
  ]);
}

function changedRow({ before, after }: ItemChange): Record<string, unknown> {
  const keepsBody = before !== null && before.body === after.body;
  const body = keepsBody || after.body === UNREAD ? null : after.body;
  return { ...columnValues(after), body, keeps_body: keepsBody };
}
