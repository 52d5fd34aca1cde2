/** Items as writes see them, locked for their transaction. */
import type pg from 'pg';
import { UNREAD, type ItemOperation, type ItemState } from '../../domain/items/decideOperation.ts';
import type { StoredMediumIdentity } from '../../domain/items/mediaIdentity.ts';
import { withAllSteps } from '../../domain/analysis/steps.ts';
import { selectAllBut, type StoredColumns } from './columns.ts';

interface StateRow extends Omit<StoredColumns, 'body' | 'requestId'> {
  hasBody: boolean;
  createdAt: Date;
  media: StoredMediumIdentity[];
}

const ITEMS = `
  select ${selectAllBut('body', 'requestId')}, i.body is not null as "hasBody", i.created_at as "createdAt",
         coalesce((select jsonb_agg(jsonb_build_object('mediumId', m.medium_id, 'position', m.position, 'kind', m.kind, 'url', m.url,
                                                       'version', m.version) order by m.position)
                     from item_media m where m.project_id = i.project_id and m.item_id = i.id), '[]') as media
    from items i where i.project_id = $1 and i.id = any($2)`;

/** Returns those of the items that the project has, including deleted ones; nothing is locked. */
export async function findKnownItems(
  client: pg.PoolClient,
  projectId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const { rows } = await client.query<{ id: string }>('select id from items where project_id = $1 and id = any($2)', [
    projectId,
    ids,
  ]);
  return new Set(rows.map((row) => row.id));
}

/**
 * Locks the items that the operations name, in the order of their ids, and reads them. Unknown ones are missing from
 * the result. They are read in a separate statement, because a statement that waits for a lock sees other tables as
 * they were before the wait.
 */
export async function lockItems(
  client: pg.PoolClient,
  projectId: string,
  operations: readonly ItemOperation[],
): Promise<Map<string, ItemState>> {
  const { rows: locked } = await client.query<{ id: string }>(
    'select id from items where project_id = $1 and id = any($2) order by id for update',
    [projectId, [...new Set(operations.map(({ id }) => id))]],
  );
  if (locked.length === 0) return new Map();
  const ids = locked.map(({ id }) => id);
  const rows = await readRows(client, projectId, ids);
  const bodies = await findCarriedBodies(
    client,
    projectId,
    operations.filter(({ id }) => rows.get(id)?.hasBody),
  );
  return new Map([...rows.values()].map((row) => [row.id, stateOf(row, bodies)]));
}

async function readRows(
  client: pg.PoolClient,
  projectId: string,
  ids: readonly string[],
): Promise<Map<string, StateRow>> {
  const { rows } = await client.query<StateRow>(ITEMS, [projectId, ids]);
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * Returns, by item, those stored bodies that an operation carries as well. The others stay in the database: 500 of them
 * may be 500 MB, and it is enough to know that they differ. `is true` makes the comparison a filter, which compares the
 * lengths first; for a plain equality the planner would hash the bodies.
 */
async function findCarriedBodies(
  client: pg.PoolClient,
  projectId: string,
  operations: readonly ItemOperation[],
): Promise<Map<string, string>> {
  const carried = operations.flatMap((operation) => {
    const body = bodyOf(operation);
    return typeof body === 'string' ? [{ id: operation.id, body }] : [];
  });
  if (carried.length === 0) return new Map();
  const { rows } = await client.query<{ ordinal: string }>(
    `select w.ordinal from unnest($2::text[], $3::text[]) with ordinality as w (id, body, ordinal)
       join items i on i.project_id = $1 and i.id = w.id
      where (i.body = w.body) is true`,
    [projectId, carried.map(({ id }) => id), carried.map(({ body }) => body)],
  );
  return new Map(
    rows.flatMap(({ ordinal }) => {
      const same = carried[Number(ordinal) - 1];
      return same ? [[same.id, same.body] as const] : [];
    }),
  );
}

function bodyOf(operation: ItemOperation): string | null | undefined {
  if (operation.op === 'put') return operation.content.body;
  return operation.op === 'patch' ? operation.patch.body : undefined;
}

function stateOf({ hasBody, revision, steps, ...row }: StateRow, bodies: ReadonlyMap<string, string>): ItemState {
  const body = hasBody ? (bodies.get(row.id) ?? UNREAD) : null;
  return {
    ...row,
    revision: Number(revision),
    steps: withAllSteps(steps),
    body,
    requestId: null,
    redo: new Set(),
    isRewritten: false,
  };
}
