/**
 * The reconciler: finds work that should run and does not (Temporal lost its data, a row was lost
 * to a fault nobody thought of) and puts it back into the outbox.
 */
import type { Client } from '@temporalio/client';
import type pg from 'pg';
import { listOverdueRetries, type DeliveryRef } from '../db/deliveryRetries.ts';
import type { OutboxEntry } from '../db/outbox.ts';
import { enqueueAll, listUnfinishedItems, withReconcilerLock, type UnfinishedItem } from '../db/reconcile.ts';
import { PRIORITY } from '../domain/queues.ts';
import type { Logger } from '../process/logger.ts';
import { isRunning } from './startWorkflow.ts';

export interface ReconcileDeps {
  pool: pg.Pool;
  client: Client;
  logger: Logger;
}

type Work = Pick<OutboxEntry, 'kind' | 'projectId' | 'entityId'>;

/** Questions to Temporal at a time; a page is one such round. */
const PAGE = 50;
/** A retry is not overdue before its worker had its chance. */
const RETRY_GRACE_MS = 60_000;

/**
 * One pass over everything unfinished. Safe beside other relays: one of them does it.
 * @returns how many were put back; 0 too when another process holds the lock
 */
export async function reconcile(deps: ReconcileDeps): Promise<number> {
  let found = 0;
  await withReconcilerLock(deps.pool, async () => {
    found += await reconcileItems(deps);
    found += await reconcileRetries(deps);
  });
  if (found > 0) deps.logger.warn({ found }, 'work was found that nobody did; it is in the outbox again');
  return found;
}

async function reconcileItems(deps: ReconcileDeps): Promise<number> {
  let found = 0;
  let after: UnfinishedItem | null = null;
  for (;;) {
    const page: UnfinishedItem[] = await listUnfinishedItems(deps.pool, after, PAGE);
    found += await enqueueMissing(deps, page.map(({ projectId, itemId }) => ({ kind: 'item', projectId, entityId: itemId })));
    after = page.at(-1) ?? null;
    if (page.length < PAGE) return found;
  }
}

async function reconcileRetries(deps: ReconcileDeps): Promise<number> {
  let found = 0;
  let after: DeliveryRef | null = null;
  for (;;) {
    const page: DeliveryRef[] = await listOverdueRetries(deps.pool, { graceMs: RETRY_GRACE_MS, after, limit: PAGE });
    found += await enqueueMissing(deps, page.map(({ projectId, deliveryId }) => ({ kind: 'delivery', projectId, entityId: deliveryId })));
    after = page.at(-1) ?? null;
    if (page.length < PAGE) return found;
  }
}

async function enqueueMissing({ pool, client }: ReconcileDeps, page: readonly Work[]): Promise<number> {
  const running = await Promise.all(page.map((work) => isRunning(client, work)));
  const missing = page.filter((_, index) => !running[index]);
  if (missing.length > 0) await enqueueAll(pool, missing, PRIORITY.bulk);
  return missing.length;
}
