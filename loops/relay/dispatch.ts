/** The relay's main loop: hands outbox rows to Temporal in batches, whenever there are any. */
import type { Client } from '@temporalio/client';
import type pg from 'pg';
import {
  claimEntries,
  deleteEntries,
  MANY_REFUSALS,
  postpone,
  postponeRefused,
  postponeUnanswered,
  type ClaimedEntry,
} from '../../db/jobs/outbox.ts';
import { inTransaction } from '../../db/pool.ts';
import type { LogFields, Logger } from '../../platform/process/logger.ts';
import type { WakeUp } from '../../platform/process/concurrency/wakeUp.ts';
import { ItemSignalThrottle, PACE_MS } from './itemSignalThrottle.ts';
import type { RelayMetrics } from './metrics.ts';
import { startWorkflow, workflowIdOf } from './startWorkflow.ts';
import type { TemporalHealth } from './temporalHealth.ts';
import { isUnanswered } from './temporalFaults.ts';

export interface DispatchDeps {
  pool: pg.Pool;
  client: Client;
  health: TemporalHealth;
  metrics?: RelayMetrics;
  logger: Logger;
  /**
   * Limits the signals to each item. Without it, `dispatchBatch` signals every item at once, and `dispatchForever`
   * creates a limit of its own.
   */
  throttle?: ItemSignalThrottle;
  /** Time limit for Temporal to take a batch; {@link HANDOVER_MS} unless a test shortens it. */
  handoverMs?: number;
}

/** Rows per transaction; Temporal takes them all at once. */
const BATCH = 50;
/** Interval of reading the outbox without a notification, for postponed rows. */
const POLL_MS = 1_000;
/** The rows are locked for at most this time, and closing may have to wait as long. */
const HANDOVER_MS = 10_000;

/** Runs until `stopped` returns true. Never throws: it retries while the database is unavailable. */
export async function dispatchForever(deps: DispatchDeps, wakeUp: WakeUp, stopped: () => boolean): Promise<void> {
  const { throttle = new ItemSignalThrottle() } = deps;
  while (!stopped()) {
    const settled = await dispatchBatch({ ...deps, throttle }).catch((error: unknown) => {
      deps.logger.warn({ err: error }, 'outbox batch failed');
      return 0;
    });
    if (settled === 0 && !stopped()) await wakeUp.sleep(throttle.isWaitedFor() ? PACE_MS : POLL_MS);
  }
}

interface Failure {
  entry: ClaimedEntry;
  reason: unknown;
}

interface Handover {
  taken: ClaimedEntry[];
  /** Rows that Temporal refused. */
  refused: Failure[];
  unanswered: Failure[];
}

/**
 * Claims one batch and hands it over. A row is deleted from the outbox in the transaction that claimed it, after
 * Temporal took it: a crash between the two starts the workflow again, which is harmless because of its id.
 * @returns the number of rows handed over; when all rows have to wait because their items were signalled recently, the
 * number of rows, because others may follow at once
 */
export async function dispatchBatch(deps: DispatchDeps): Promise<number> {
  const handover = await inTransaction(deps.pool, async (client) => {
    const claimed = await claimEntries(client, BATCH);
    const { now: entries, later } = deps.throttle?.split(claimed) ?? { now: claimed, later: [] };
    if (later.length > 0)
      await postpone(
        client,
        later.map((entry) => entry.id),
        PACE_MS,
      );
    if (entries.length === 0) return later.length;
    const { taken, refused, unanswered } = await handOver(deps, entries);
    if (taken.length > 0)
      await deleteEntries(
        client,
        taken.map((entry) => entry.id),
      );
    if (refused.length > 0)
      await postponeRefused(
        client,
        refused.map(({ entry }) => entry.id),
      );
    if (unanswered.length > 0)
      await postponeUnanswered(
        client,
        unanswered.map(({ entry }) => entry.id),
      );
    return { taken, refused, unanswered };
  });
  if (typeof handover === 'number') return handover;
  report(deps, handover);
  return handover.taken.length;
}

/**
 * Hands over rows of one workflow as one: the workflow reads what to do from the database, whichever rows were sent.
 */
async function handOver(
  { client, handoverMs = HANDOVER_MS }: DispatchDeps,
  entries: readonly ClaimedEntry[],
): Promise<Handover> {
  const first = new Map<string, ClaimedEntry>();
  for (const entry of entries) if (!first.has(workflowIdOf(entry))) first.set(workflowIdOf(entry), entry);
  const workflowIds = [...first.keys()];
  const settled = await client.connection.withDeadline(Date.now() + handoverMs, () =>
    Promise.allSettled([...first.values()].map((entry) => startWorkflow(client, entry))),
  );
  const results = new Map(workflowIds.map((id, index) => [id, settled[index]]));
  const handover: Handover = { taken: [], refused: [], unanswered: [] };
  for (const entry of entries) {
    const result = results.get(workflowIdOf(entry));
    if (result?.status !== 'rejected') handover.taken.push(entry);
    else (isUnanswered(result.reason) ? handover.unanswered : handover.refused).push({ entry, reason: result.reason });
  }
  return handover;
}

function report({ health, metrics, logger }: DispatchDeps, { taken, refused, unanswered }: Handover): void {
  for (const entry of taken) {
    logger.info(fieldsOf(entry), 'handed work over to Temporal');
    metrics?.handedOver.inc({ kind: entry.kind });
  }
  metrics?.notTaken.inc({ reason: 'refused' }, refused.length);
  metrics?.notTaken.inc({ reason: 'unanswered' }, unanswered.length);
  if (taken.length + refused.length > 0) health.markReachable();
  else health.markUnreachable();
  if (unanswered[0]) logger.warn({ rows: unanswered.length, err: unanswered[0].reason }, 'Temporal did not answer');
  for (const { entry, reason } of refused) reportRefusal(logger, entry, reason);
}

function reportRefusal(logger: Logger, entry: ClaimedEntry, reason: unknown): void {
  const line = { ...fieldsOf(entry), refusals: entry.refusals + 1, err: reason };
  if (line.refusals > MANY_REFUSALS)
    logger.error(line, 'Temporal keeps refusing this work: an operator has to look at it');
  else logger.warn(line, 'Temporal refused work');
}

function fieldsOf(entry: ClaimedEntry): LogFields {
  return {
    workflowId: workflowIdOf(entry),
    projectId: entry.projectId,
    ...(entry.requestId !== null && { requestId: entry.requestId }),
  };
}
