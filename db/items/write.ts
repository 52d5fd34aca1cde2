/** The writes of an item. Each is one transaction: the rows, the outdated steps and the outbox row. */
import { isDeepStrictEqual } from 'node:util';
import type pg from 'pg';
import type { ItemContent, ItemHead, ItemOrigin, ItemPatch } from '../../domain/item.ts';
import { compareMedia } from '../../domain/mediaIdentity.ts';
import { newlyApplicableSteps, newStepRecords, outdatedBy, outdatedByRequest, withOutdated, type Applicability } from '../../domain/plan.ts';
import { PRIORITY } from '../../domain/queues.ts';
import { statusFromSteps } from '../../domain/itemStatus.ts';
import { isFinished, mapSteps, statesOf, STEPS, type Step, type StepRecords } from '../../domain/steps.ts';
import { enqueue } from '../outbox.ts';
import { inTransaction } from '../pool.ts';
import { contentOf, lockItem, type LockedItem } from './lock.ts';
import { applyMedia, resetMediaSteps } from './media.ts';

export interface ItemRef {
  projectId: string;
  itemId: string;
}

export interface PutItem extends ItemRef {
  content: ItemContent;
  origin: ItemOrigin;
  /** domain/queues.ts PRIORITY; a single write unless told otherwise. */
  priority?: number;
  requestId: string | null;
}

/**
 * Creates an item or replaces it whole. An identical PUT changes nothing; one of a deleted item
 * lifts the deletion and resumes what was unfinished.
 */
export function putItem(pool: pg.Pool, put: PutItem): Promise<{ created: boolean; item: ItemHead }> {
  return inTransaction(pool, async (client) => {
    const existing = await lockItem(client, put.projectId, put.itemId);
    if (existing) return { created: false, item: await replaceContent(client, put, existing, put.content, true) };
    const inserted = await insertItem(client, put);
    if (inserted) return { created: true, item: inserted };
    // Another request created it between the two statements; its row is visible and ours to lock now.
    const other = await lockItem(client, put.projectId, put.itemId);
    if (!other) throw new Error('an item vanished while it was written');
    return { created: false, item: await replaceContent(client, put, other, put.content, true) };
  });
}

/**
 * Replaces the sent fields.
 * @param check sees the merged content before anything is stored and may throw
 * @returns null when there is no such item
 */
export function patchItem(
  pool: pg.Pool,
  patch: ItemRef & { patch: ItemPatch; priority?: number; requestId: string | null },
  check: (merged: ItemContent) => void,
): Promise<ItemHead | null> {
  return inTransaction(pool, async (client) => {
    const existing = await lockItem(client, patch.projectId, patch.itemId);
    if (!existing) return null;
    const merged = { ...contentOf(existing), ...patch.patch };
    check(merged);
    return replaceContent(client, patch, existing, merged, false);
  });
}

/** Deletes softly; running steps go back to the queue, for a later undeletion. False when unknown. */
export function deleteItem(pool: pg.Pool, ref: ItemRef & { requestId?: string | null }): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const existing = await lockItem(client, ref.projectId, ref.itemId);
    if (!existing) return false;
    if (existing.deleted) return true;
    const steps = mapSteps((step) => (existing.steps[step].state === 'running' ? { ...existing.steps[step], state: 'queued' as const } : existing.steps[step]));
    const status = isUnfinished(steps) ? statusFromSteps(statesOf(steps), false) : existing.status;
    await client.query(
      'update items set deleted = true, steps = $3, status = $4, updated_at = clock_timestamp() where project_id = $1 and id = $2',
      [ref.projectId, ref.itemId, steps, status],
    );
    // The workflow, when there is one, has to let go of the item.
    if (isUnfinished(existing.steps)) await enqueueItem(client, ref);
    return true;
  });
}

/**
 * Outdates the named steps and what depends on them (all when null), finished or not.
 * @returns null when the item is unknown or deleted
 */
export function reprocessItem(pool: pg.Pool, request: ItemRef & { steps: Step[] | null; requestId: string | null }): Promise<ItemHead | null> {
  return inTransaction(pool, async (client) => {
    const existing = await lockItem(client, request.projectId, request.itemId);
    if (!existing || existing.deleted) return null;
    const outdated = outdatedByRequest(request.steps);
    if (outdated.size === 0) return headOf(existing);
    await resetMediaSteps(client, request.projectId, request.itemId, outdated);
    const head = outdate(existing, outdated);
    await client.query(
      `update items set steps = $3, status = $4, revision = $5, request_id = $6, updated_at = clock_timestamp()
        where project_id = $1 and id = $2`,
      [request.projectId, request.itemId, head.steps, head.status, existing.revision + 1, request.requestId],
    );
    await enqueueItem(client, request);
    return head;
  });
}

async function insertItem(client: pg.PoolClient, put: PutItem): Promise<ItemHead | null> {
  const { content } = put;
  const steps = newStepRecords(1);
  const { rowCount } = await client.query({
    name: 'item-insert',
    text: `insert into items (project_id, id, type, title, description, body, author, url, published_at, properties,
                              origin, available, revision, status, steps, request_id, created_at, updated_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8, coalesce($9, date_trunc('milliseconds', now())), $10,
                   $11, $12, 1, 'queued', $13, $14, date_trunc('milliseconds', now()), clock_timestamp())
           on conflict do nothing`,
    values: [put.projectId, put.itemId, content.type, content.title, content.description, content.body, content.author,
      content.url, content.publishedAt, content.properties, put.origin, content.available, steps, put.requestId],
  });
  if (rowCount === 0) return null;
  await applyMedia(client, put.projectId, put.itemId, compareMedia([], content.media));
  await enqueueItem(client, put);
  return { id: put.itemId, status: 'queued', available: content.available, deleted: false, steps };
}

async function replaceContent(
  client: pg.PoolClient,
  write: ItemRef & { priority?: number; requestId: string | null },
  existing: LockedItem,
  content: ItemContent,
  undelete: boolean,
): Promise<ItemHead> {
  const media = compareMedia(existing.media, content.media);
  const textChanged = hasChanged(existing, content, ['type', 'title', 'description', 'body']);
  const outdated = new Set([
    ...outdatedBy({ text: textChanged, mediaAdded: media.added.length > 0, mediaRemoved: media.removed.length > 0 }),
    ...outdatedByRequest([...newlyApplicableSteps(applicabilityOf(existing), applicabilityOf(content))]),
  ]);
  const publishedAt = content.publishedAt ?? existing.createdAt;
  const plainChanged = hasChanged(existing, { ...content, publishedAt }, ['author', 'url', 'publishedAt', 'properties', 'available']);
  const undeleted = undelete && existing.deleted;
  if (outdated.size === 0 && !plainChanged && !media.moved && !undeleted) return headOf(existing);

  const head = { ...outdate(existing, outdated), available: content.available, deleted: existing.deleted && !undeleted };
  await client.query({
    name: 'item-replace',
    text: `update items set type = $3, title = $4, description = $5, body = $6, author = $7, url = $8, published_at = $9,
                  properties = $10, available = $11, deleted = $12, steps = $13, status = $14,
                  revision = $15, request_id = coalesce($16, request_id), updated_at = clock_timestamp()
            where project_id = $1 and id = $2`,
    values: [write.projectId, write.itemId, content.type, content.title, content.description, content.body, content.author,
      content.url, publishedAt, content.properties, head.available, head.deleted, head.steps, head.status,
      existing.revision + (outdated.size > 0 ? 1 : 0), outdated.size > 0 ? write.requestId : null],
  });
  await applyMedia(client, write.projectId, write.itemId, media);
  if (!head.deleted && isUnfinished(head.steps) && (outdated.size > 0 || undeleted)) await enqueueItem(client, write);
  return head;
}

function headOf(item: LockedItem): ItemHead {
  return { id: item.id, status: item.status, available: item.available, deleted: item.deleted, steps: item.steps };
}

function outdate(item: LockedItem, outdated: ReadonlySet<Step>): ItemHead {
  if (outdated.size === 0) return headOf(item);
  const steps = withOutdated(item.steps, outdated, item.revision + 1);
  // Vectors do not matter here: whatever outdates a step outdates the embedding, so none is final.
  return { ...headOf(item), steps, status: statusFromSteps(statesOf(steps), false) };
}

function hasChanged<K extends keyof ItemContent>(before: Pick<LockedItem, K & keyof LockedItem>, after: Pick<ItemContent, K>, fields: readonly (K & keyof LockedItem)[]): boolean {
  return fields.some((field) => !isDeepStrictEqual(before[field], asStored(after[field])));
}

/** A value of `properties` as it comes back from the database: JSON has no negative zero. */
function asStored(value: unknown): unknown {
  return typeof value === 'object' && value !== null && !(value instanceof Date) ? JSON.parse(JSON.stringify(value)) : value;
}

function applicabilityOf({ type, media }: Pick<ItemContent, 'type' | 'media'>): Applicability {
  return { type, kinds: media.map((medium) => medium.kind) };
}

function isUnfinished(steps: StepRecords): boolean {
  return STEPS.some((step) => !isFinished(steps[step].state));
}

function enqueueItem(client: pg.PoolClient, write: ItemRef & { priority?: number; requestId?: string | null }): Promise<void> {
  return enqueue(client, [{
    kind: 'item',
    projectId: write.projectId,
    entityId: write.itemId,
    priority: write.priority ?? PRIORITY.single,
    requestId: write.requestId ?? null,
  }]);
}
