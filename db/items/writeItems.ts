/** Writes of items; each call is one transaction. */
import type pg from 'pg';
import {
  InvalidItemError,
  type ItemContent,
  type ItemHead,
  type ItemOrigin,
  type ItemPatch,
  type ItemRef,
} from '../../domain/items/item.ts';
import type { ItemOperation } from '../../domain/items/decideOperation.ts';
import { PRIORITY } from '../../domain/jobs/queues.ts';
import type { Step } from '../../domain/analysis/steps.ts';
import { inTransaction } from '../pool.ts';
import { applyItemOperations, type ItemResult, type ItemWrite } from './applyOperations.ts';

export interface PutItem extends ItemRef {
  content: ItemContent;
  origin: ItemOrigin;
  /** A priority of domain/jobs/queues.ts PRIORITY; that of a single write by default. */
  priority?: number;
  requestId: string | null;
}

/**
 * Creates an item or replaces it entirely. An identical PUT changes nothing. A PUT of a deleted item undeletes it and
 * resumes what was unfinished. A PUT of an item that was created by an order takes it over.
 * @throws {InvalidItemError}
 */
export async function putItem(pool: pg.Pool, put: PutItem): Promise<{ created: boolean; item: ItemHead }> {
  const { outcome, head } = await apply(pool, put, { op: 'put', id: put.itemId, content: put.content });
  if (!head) throw new Error('a PUT returned no item');
  return { created: outcome === 'created', item: head };
}

/**
 * Replaces the sent fields.
 * @returns null when there is no such item
 * @throws {InvalidItemError}
 */
export async function patchItem(
  pool: pg.Pool,
  patch: ItemRef & { patch: ItemPatch; priority?: number; requestId: string | null },
): Promise<ItemHead | null> {
  return (await apply(pool, patch, { op: 'patch', id: patch.itemId, patch: patch.patch })).head;
}

/** Deletes an item softly; running steps return to the queue, in case it is undeleted later. False when unknown. */
export async function deleteItem(pool: pg.Pool, ref: ItemRef & { requestId?: string | null }): Promise<boolean> {
  return (await apply(pool, ref, { op: 'delete', id: ref.itemId })).head !== null;
}

/**
 * Invalidates the named steps and those that depend on them (all when null), finished or not.
 * @returns null when the item is unknown or deleted
 */
export async function reprocessItem(
  pool: pg.Pool,
  request: ItemRef & { steps: Step[] | null; requestId: string | null },
): Promise<ItemHead | null> {
  return (await apply(pool, request, { op: 'reprocess', id: request.itemId, steps: request.steps })).head;
}

type SingleWrite = { projectId: string; origin?: ItemOrigin; priority?: number; requestId?: string | null };

async function apply(pool: pg.Pool, single: SingleWrite, operation: ItemOperation): Promise<ItemResult> {
  const { projectId, origin = 'api', priority = PRIORITY.single, requestId = null } = single;
  const write: ItemWrite = { projectId, origin, priority, requestId };
  const [result] = await writeItems(pool, write, [operation]);
  if (!result) throw new Error('a write has no result');
  if (result.outcome === 'invalid') throw new InvalidItemError(result.faults);
  return result;
}

/** Applies operations in one transaction (db/items/applyOperations.ts). */
export function writeItems(
  pool: pg.Pool,
  write: ItemWrite,
  operations: readonly ItemOperation[],
): Promise<ItemResult[]> {
  return inTransaction(pool, (client) => applyItemOperations(client, write, operations));
}
