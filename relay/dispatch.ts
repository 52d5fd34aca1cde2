/** The relay's main loop: outbox rows into Temporal, in batches, whenever there are any. */
import type { Client } from '@temporalio/client';
import type pg from 'pg';
import { claimEntries, deleteEntries, postponeEntries, type ClaimedEntry } from '../db/outbox.ts';
import { inTransaction } from '../db/pool.ts';
import type { Logger } from '../process/logger.ts';
import type { WakeUp } from '../process/wakeUp.ts';
import type { TemporalHealth } from './temporalHealth.ts';
import { startWorkflow, workflowIdOf } from './startWorkflow.ts';

export interface DispatchDeps {
  pool: pg.Pool;
  client: Client;
  health: TemporalHealth;
  logger: Logger;
}

/** Rows of one transaction; Temporal takes them all at once. */
const BATCH = 50;
/** Without a notification the outbox is read at this pace, for rows that were put off. */
const POLL_MS = 1_000;

/** Runs until `stopped` says so. Never throws: a database that is away is tried again. */
export async function dispatchForever(deps: DispatchDeps, wakeUp: WakeUp, stopped: () => boolean): Promise<void> {
  while (!stopped()) {
    const handedOver = await dispatchBatch(deps).catch((error: unknown) => {
      deps.logger.warn({ err: error }, 'outbox batch failed');
      return 0;
    });
    if (handedOver < BATCH && !stopped()) await wakeUp.sleep(POLL_MS);
  }
}

/**
 * Claims one batch and hands it over. A row leaves the outbox in the transaction that claimed it,
 * after Temporal took it: a crash between the two starts it again, which its id makes harmless.
 * @returns the rows handed over
 */
export function dispatchBatch(deps: DispatchDeps): Promise<number> {
  return inTransaction(deps.pool, async (client) => {
    const entries = await claimEntries(client, BATCH);
    if (entries.length === 0) return 0;
    const results = await Promise.allSettled(entries.map((entry) => startWorkflow(deps.client, entry)));
    const taken = entries.filter((_, index) => results[index]?.status === 'fulfilled');
    const refused = entries.filter((_, index) => results[index]?.status === 'rejected');
    if (taken.length > 0) await deleteEntries(client, taken.map((entry) => entry.id));
    if (refused.length > 0) await postponeEntries(client, refused.map((entry) => entry.id));
    report(deps, taken, refused, results.find((result) => result.status === 'rejected')?.reason);
    return taken.length;
  });
}

function report({ health, logger }: DispatchDeps, taken: ClaimedEntry[], refused: ClaimedEntry[], reason: unknown): void {
  for (const entry of taken) logger.debug({ requestId: entry.requestId, workflowId: workflowIdOf(entry) }, 'handed over');
  if (taken.length > 0) health.answered();
  if (refused.length === 0) return;
  logger.warn({ refused: refused.length, taken: taken.length, workflowId: refused[0] && workflowIdOf(refused[0]), err: reason }, 'Temporal did not take work');
  if (taken.length === 0) health.silent();
}
