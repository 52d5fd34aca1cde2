/**
 * Removes expired data: the journal's old deliveries, expired event ids, old imports, and blobs that nothing refers to.
 */
import type pg from 'pg';
import type { BlobStore } from '../../platform/blobs/store.ts';
import { runAlone } from '../../db/advisoryLock.ts';
import { forgetGarbage, listDueGarbage, postponeGarbage } from '../../db/installation/blobGarbage.ts';
import { forgetOldDeletions } from '../../db/people/deletionLedger.ts';
import { deleteOldDeliveries, removeDeletedWebhooks } from '../../db/deliveries/removal.ts';
import { deleteOldWebhookHours } from '../../db/webhooks/hours.ts';
import { deleteOldImports } from '../../db/jobs/imports.ts';
import { deleteOldAuditEntries } from '../../db/accounts/auditLog.ts';
import { deleteExpiredInvitations } from '../../db/accounts/invitations.ts';
import { deleteExpiredSignInLinks } from '../../db/accounts/signInLinks.ts';
import { deleteOldExports } from '../../db/reports/exports.ts';
import { deleteExpiredReportSlots } from '../../db/reports/slots.ts';
import { deleteEmptyWindows, deleteFullBuckets } from '../../db/installation/rateLimits.ts';
import { deleteOldReruns } from '../../db/jobs/reruns.ts';
import { deleteOldRecoveries } from '../../db/webhooks/recoveries.ts';
import { deleteEndedSessions } from '../../db/accounts/sessions.ts';
import { forgetCollectedEvents } from '../../db/collect/forgetEventKeys.ts';
import { deleteOldAnswered } from '../../db/events/impressions.ts';
import { forgetRecentStates } from '../../db/events/latest.ts';
import { forgetOldRejections } from '../../db/events/rejections.ts';
import { forgetExpiredIds } from '../../db/events/rememberedIds.ts';
import { deleteOldModels } from '../../db/training/models.ts';
import { deleteOldSnapshots } from '../../db/output/snapshots.ts';
import { deleteOldExperiments } from '../../db/output/surfaces.ts';
import { deleteOldItemHours } from '../../db/items/tallies.ts';
import { forgetOldPopularity } from '../../db/popularity/read.ts';
import { forgetOldStatistics } from '../../db/statistics/read.ts';
import { dayOf } from '../../domain/events/changedDays.ts';
import { STATISTICS_DAYS } from '../../domain/items/statistics.ts';
import { JOURNAL_DAYS } from '../../domain/lifetimes.ts';
import { COUNTED_DAYS } from '../../domain/output/popularity.ts';
import type { Logger } from '../../platform/process/logger.ts';
import type { RelayMetrics } from './metrics.ts';

export interface RetentionDeps {
  pool: pg.Pool;
  blobs: Pick<BlobStore, 'removeFolder'>;
  /** See rememberHoursOf in domain/collect/collected.ts. */
  rememberCollectedHours: number;
  /** How long the audit log is kept. */
  auditDays: number;
  metrics?: RelayMetrics;
  logger: Logger;
}

/** Deliveries per statement: with their attempts some ten thousand rows, which takes a fraction of a second. */
const DELIVERIES = 1_000;
/** Remembered event ids per statement: narrow rows, a tenth of a second. */
const EVENT_IDS = 10_000;
/** The same for the tag's events, of which an installation may receive thousands a second. */
const COLLECTED_EVENTS = 50_000;
/** Ended sessions and full rate limit buckets per statement: small rows without dependents. */
const SMALL_ROWS = 10_000;
/** Imports per statement, each with at most a thousand errors. */
const IMPORTS = 100;
/** Folders removed at a time; each holds up to some 60 frames and the sound. */
const FOLDERS = 20;
/** Maximum number of batches per pass; the rest is left for the next one. */
const BATCHES = 100;

/**
 * Makes one pass. Safe to run in several relays: only one of them makes the pass.
 * @param stopped ends the pass after the current batch
 */
export async function removeExpired(deps: RetentionDeps, stopped: () => boolean = () => false): Promise<void> {
  const { pool, metrics, logger } = deps;
  await runAlone(pool, 'retention', async () => {
    const deliveries = await inBatches(DELIVERIES, stopped, () => deleteOldDeliveries(pool, JOURNAL_DAYS, DELIVERIES));
    metrics?.removed.inc({ what: 'deliveries' }, deliveries);
    const orphans = await inBatches(DELIVERIES, stopped, () => removeDeletedWebhooks(pool, DELIVERIES));
    metrics?.removed.inc({ what: 'deliveries' }, orphans);
    await inBatches(SMALL_ROWS, stopped, () => deleteOldWebhookHours(pool, JOURNAL_DAYS, SMALL_ROWS));
    const eventIds = await inBatches(EVENT_IDS, stopped, () => forgetExpiredIds(pool, EVENT_IDS));
    metrics?.removed.inc({ what: 'event_ids' }, eventIds);
    const collected = await inBatches(COLLECTED_EVENTS, stopped, () =>
      forgetCollectedEvents(pool, deps.rememberCollectedHours, COLLECTED_EVENTS),
    );
    metrics?.removed.inc({ what: 'collected_events' }, collected);
    const sessions = await inBatches(SMALL_ROWS, stopped, () => deleteEndedSessions(pool, SMALL_ROWS));
    metrics?.removed.inc({ what: 'sessions' }, sessions);
    await inBatches(SMALL_ROWS, stopped, () => deleteOldAuditEntries(pool, deps.auditDays, SMALL_ROWS));
    await inBatches(SMALL_ROWS, stopped, () => deleteExpiredInvitations(pool, SMALL_ROWS));
    await inBatches(SMALL_ROWS, stopped, () => deleteExpiredSignInLinks(pool, SMALL_ROWS));
    await inBatches(SMALL_ROWS, stopped, () => deleteFullBuckets(pool, SMALL_ROWS));
    await inBatches(SMALL_ROWS, stopped, () => deleteEmptyWindows(pool, SMALL_ROWS));
    await inBatches(SMALL_ROWS, stopped, () => deleteExpiredReportSlots(pool, SMALL_ROWS));
    const snapshots = await inBatches(SMALL_ROWS, stopped, () => deleteOldSnapshots(pool, SMALL_ROWS));
    metrics?.removed.inc({ what: 'output_snapshots' }, snapshots);
    await inBatches(SMALL_ROWS, stopped, () => deleteOldAnswered(pool, SMALL_ROWS));
    await inBatches(SMALL_ROWS, stopped, () => deleteOldExperiments(pool, SMALL_ROWS));
    await inBatches(SMALL_ROWS, stopped, () => deleteOldItemHours(pool, SMALL_ROWS));
    const oldestDay = dayOf(new Date()) - COUNTED_DAYS;
    const popularity = await inBatches(SMALL_ROWS, stopped, () => forgetOldPopularity(pool, oldestDay, SMALL_ROWS));
    metrics?.removed.inc({ what: 'popularity' }, popularity);
    const oldestCounted = dayOf(new Date()) - STATISTICS_DAYS;
    await inBatches(SMALL_ROWS, stopped, () => forgetOldStatistics(pool, oldestCounted, SMALL_ROWS));
    const models = await inBatches(SMALL_ROWS, stopped, () => deleteOldModels(pool, SMALL_ROWS));
    metrics?.removed.inc({ what: 'output_models' }, models);
    const imports = await inBatches(IMPORTS, stopped, () => deleteOldImports(pool, IMPORTS));
    metrics?.removed.inc({ what: 'imports' }, imports);
    const reruns = await inBatches(SMALL_ROWS, stopped, () => deleteOldReruns(pool, SMALL_ROWS));
    metrics?.removed.inc({ what: 'reruns' }, reruns);
    const exports = await inBatches(SMALL_ROWS, stopped, () => deleteOldExports(pool, SMALL_ROWS));
    metrics?.removed.inc({ what: 'exports' }, exports);
    const recoveries = await inBatches(SMALL_ROWS, stopped, () => deleteOldRecoveries(pool, SMALL_ROWS));
    metrics?.removed.inc({ what: 'recoveries' }, recoveries);
    const rejections = await inBatches(SMALL_ROWS, stopped, () => forgetOldRejections(pool, SMALL_ROWS));
    metrics?.removed.inc({ what: 'event_rejections' }, rejections);
    await inBatches(SMALL_ROWS, stopped, () => forgetRecentStates(pool, SMALL_ROWS));
    const deletions = await inBatches(SMALL_ROWS, stopped, () => forgetOldDeletions(pool, SMALL_ROWS));
    metrics?.removed.inc({ what: 'deletions' }, deletions);
    const folders = await inBatches(FOLDERS, stopped, () => removeFolders(deps));
    if (deliveries + eventIds + folders > 0)
      logger.info({ deliveries, eventIds, folders }, 'removed data past its retention time');
  });
}

/** Calls `batch` until it handles fewer than `size`; returns the sum of what it handled. */
async function inBatches(size: number, stopped: () => boolean, batch: () => Promise<number>): Promise<number> {
  let sum = 0;
  for (let count = 0; count < BATCHES && !stopped(); count += 1) {
    const handled = await batch();
    sum += handled;
    if (handled < size) break;
  }
  return sum;
}

/** @returns the number of handled folders: removed, or postponed because they could not be removed */
async function removeFolders({ pool, blobs, metrics, logger }: RetentionDeps): Promise<number> {
  const due = await listDueGarbage(pool, FOLDERS);
  const results = await Promise.allSettled(due.map(({ folder }) => blobs.removeFolder(folder)));
  const removed = due.filter((_, index) => results[index]?.status === 'fulfilled');
  await forgetGarbage(pool, removed);
  metrics?.removed.inc({ what: 'blob_folders' }, removed.length);
  const failures = results.filter((result) => result.status === 'rejected');
  if (failures[0]) {
    await postponeGarbage(
      pool,
      due.filter((_, index) => results[index]?.status === 'rejected'),
    );
    logger.error(
      { folders: failures.length, err: failures[0].reason },
      'could not remove blobs; trying again in an hour',
    );
  }
  return due.length;
}
