/** Operations on items, whether one or five hundred: the same few statements, in the caller's transaction. */
import type pg from 'pg';
import { uuidv7 } from 'uuidv7';
import type { ItemFault, ItemHead, ItemOrigin } from '../../domain/items/item.ts';
import {
  decide,
  headOf,
  type ItemOperation,
  type ItemOutcome,
  type ItemState,
  type WriteContext,
} from '../../domain/items/decideOperation.ts';
import { enqueue } from '../jobs/outbox.ts';
import { readCurrentModels } from '../analysis/stepModels.ts';
import { deleteResults } from '../currentResults.ts';
import { storeMedia } from './media.ts';
import { listProperties } from './properties.ts';
import { insertItems, updateItems, type ItemChange } from './bulkRows.ts';
import { findKnownItems, lockItems } from './lockItems.ts';

export interface ItemWrite {
  projectId: string;
  /** The origin of items that are created or taken over. */
  origin: ItemOrigin;
  /** A priority of domain/jobs/queues.ts PRIORITY. */
  priority: number;
  requestId: string | null;
}

export interface ItemResult {
  id: string;
  outcome: ItemOutcome;
  /** The item after the operation; null when it was not found or the operation is invalid. */
  head: ItemHead | null;
  /** Empty unless the outcome is `invalid`. */
  faults: readonly ItemFault[];
}

/** The operations on one item, in order, and their result. */
interface AppliedOperations {
  id: string;
  operations: ItemOperation[];
  before: ItemState | null;
  after: ItemState | null;
  results: ItemResult[];
  enqueue: boolean;
}

/**
 * Applies operations in their order, each independently: a failed one changes nothing and does not affect the others.
 * Ids may repeat. Rows are created first and locked afterwards, both in the order of their ids, so that concurrent
 * transactions never deadlock: rows that one creates are invisible to the locks of the others, and nobody who waits to
 * create a row holds a lock yet.
 *
 * @returns one result for each operation, in their order
 */
export async function applyItemOperations(
  client: pg.PoolClient,
  write: ItemWrite,
  operations: readonly ItemOperation[],
): Promise<ItemResult[]> {
  const context: WriteContext = {
    ...write,
    declared: await readDeclared(client, write, operations),
    newMediumId: uuidv7,
  };
  const groups = groupById(operations);
  const created = await createMissing(client, write, groups, context);
  const rest = [...groups].filter(([id]) => !created.has(id));
  const stored =
    rest.length > 0
      ? await lockItems(
          client,
          write.projectId,
          rest.flatMap(([, group]) => group),
        )
      : new Map<string, ItemState>();
  const known = { ...context, ...(await readModelsForReturns(client, rest, stored)) };
  const changed = rest.map(([id, group]) => applyGroup(id, group, stored.get(id) ?? null, known));
  if (changed.some(({ before, after }) => !before && after))
    throw new Error('an item vanished while it was being written');

  const updates = changed.flatMap(changeOf);
  await updateItems(client, write.projectId, updates);
  await deleteResults(
    client,
    write.projectId,
    updates.filter(({ after }) => after.isRewritten).map(({ after }) => after.id),
  );
  await storeMedia(client, write.projectId, [...[...created.values()].flatMap(changeOf), ...updates]);
  const applied = [...created.values(), ...changed];
  await enqueue(
    client,
    applied.filter((one) => one.enqueue).map(({ id }) => ({ ...write, kind: 'item', entityId: id })),
  );
  return inOrder(operations, applied);
}

async function readDeclared(
  client: pg.PoolClient,
  { projectId }: ItemWrite,
  operations: readonly ItemOperation[],
): Promise<WriteContext['declared']> {
  const hasProperties = operations.some(
    (operation) =>
      (operation.op === 'put' && operation.content.properties) ||
      (operation.op === 'patch' && operation.patch.properties),
  );
  return hasProperties ? listProperties(client, projectId) : [];
}

/** Models are read only where a deleted item may be restored. */
async function readModelsForReturns(
  client: pg.PoolClient,
  groups: readonly [string, ItemOperation[]][],
  stored: ReadonlyMap<string, ItemState>,
): Promise<Pick<WriteContext, 'models'>> {
  const mayReturn = groups.some(([id, group]) => stored.get(id)?.deleted && group.some(({ op }) => op === 'put'));
  return mayReturn ? { models: await readCurrentModels(client) } : {};
}

function groupById(operations: readonly ItemOperation[]): Map<string, ItemOperation[]> {
  const groups = new Map<string, ItemOperation[]>();
  for (const operation of operations) {
    const group = groups.get(operation.id);
    if (group) group.push(operation);
    else groups.set(operation.id, [operation]);
  }
  return groups;
}

/** Inserts the items that the operations create, where none exists yet. The caller holds no row lock yet. */
async function createMissing(
  client: pg.PoolClient,
  { projectId }: ItemWrite,
  groups: ReadonlyMap<string, ItemOperation[]>,
  context: WriteContext,
): Promise<Map<string, AppliedOperations>> {
  const wanted = [...groups].filter(([, group]) => group.some(({ op }) => op === 'put'));
  if (wanted.length === 0) return new Map();
  const known = await findKnownItems(
    client,
    projectId,
    wanted.map(([id]) => id),
  );
  const applied = wanted.filter(([id]) => !known.has(id)).map(([id, group]) => applyGroup(id, group, null, context));
  const inserted = await insertItems(
    client,
    projectId,
    applied.flatMap(({ after }) => after ?? []),
  );
  return new Map(applied.filter(({ id }) => inserted.has(id)).map((one) => [one.id, one]));
}

function applyGroup(
  id: string,
  operations: ItemOperation[],
  before: ItemState | null,
  context: WriteContext,
): AppliedOperations {
  const applied: AppliedOperations = { id, operations, before, after: before, results: [], enqueue: false };
  for (const operation of operations) {
    const { outcome, state, faults, enqueue: needsWorkflow } = decide(applied.after, operation, context);
    const isDone = outcome !== 'not_found' && outcome !== 'invalid';
    applied.results.push({ id, outcome, head: state && isDone ? headOf(state) : null, faults });
    applied.after = state;
    applied.enqueue ||= needsWorkflow;
  }
  return applied;
}

function changeOf({ before, after }: AppliedOperations): ItemChange[] {
  return after && after !== before ? [{ before, after }] : [];
}

function inOrder(operations: readonly ItemOperation[], applied: readonly AppliedOperations[]): ItemResult[] {
  const results = new Map(applied.map((one) => [one.id, one.results.values()]));
  return operations.map(({ id }) => {
    const next = results.get(id)?.next();
    if (!next || next.done) throw new Error('an operation on an item has no result');
    return next.value;
  });
}
