/**
 * Removes expired data: the journal's old deliveries, expired event ids, old imports, and blobs that nothing refers to.
 */
import type pg from 'pg';
import type { BlobStore } from '../../platform/blobs/createBlobStore.ts';
import { runExclusively } from '../../db/advisoryLock.ts';
import { deleteGarbageRecords, listDueGarbage, postponeGarbage } from '../../db/blobGarbage.ts';
import { deleteOldLedgerEntries } from '../../db/people/deletionLedger.ts';
import { deleteOldDeliveries, purgeDeletedWebhooks } from '../../db/webhooks/deliveries/deleteDeliveries.ts';
import { deleteOldWebhookHours } from '../../db/webhooks/deliveries/hourlyStatistics.ts';
import { deleteOldImports } from '../../db/jobs/imports.ts';
import { deleteOldAuditEntries } from '../../db/accounts/auditLog.ts';
import { deleteExpiredInvitations } from '../../db/accounts/invitations.ts';
import { deleteExpiredSignInLinks } from '../../db/accounts/signInLinks.ts';
import { deleteOldExports } from '../../db/reports/deleteExports.ts';
import { deleteExpiredReportSlots } from '../../db/reports/reportSlots.ts';
import { deleteEmptyWindows, deleteFullBuckets } from '../../db/installation/rateLimitCounters.ts';
import { deleteOldReruns } from '../../db/reruns/reruns.ts';
import { deleteOldRecoveries } from '../../db/webhooks/deliveries/recoveries.ts';
import { deleteEndedSessions } from '../../db/accounts/sessions.ts';
import { deleteOldEventKeys } from '../../db/collect/deleteOldEventKeys.ts';
import { deleteOldAnswered } from '../../db/events/impressions.ts';
import { deleteOldRecentStates } from '../../db/events/latest.ts';
import { deleteOldRejections } from '../../db/events/rejections.ts';
import { deleteExpiredIds } from '../../db/events/rememberedIds.ts';
import { deleteOldModels } from '../../db/training/deleteOldModels.ts';
import { deleteLateSampledPeople } from '../../db/people/experimentPeople.ts';
import { deleteOldSnapshots } from '../../db/output/snapshots.ts';
import { deleteOldExperiments } from '../../db/output/surfaces.ts';
import { deleteOldItemHours } from '../../db/items/tallies.ts';
import { deleteOldPopularity } from '../../db/popularity/readPopularity.ts';
import { deleteOldStatistics } from '../../db/statistics/readStatistics.ts';
import { dayOf } from '../../domain/events/changedDays.ts';
import { STATISTICS_DAYS } from '../../domain/items/statistics.ts';
import { JOURNAL_DAYS } from '../../domain/webhooks/journalDays.ts';
import { COUNTED_DAYS } from '../../domain/output/popularity.ts';
import type { Logger } from '../../platform/process/logger.ts';
import { Pace } from '../../platform/process/concurrency/pace.ts';
import type { RelayMetrics, Removed } from './metrics.ts';

export interface RetentionDeps {
  pool: pg.Pool;
  blobs: Pick<BlobStore, 'removeFolder'>;
  /** See rememberHoursOf in domain/collect/repeatHours.ts. */
  rememberCollectedHours: number;
  /** How long the audit log is kept. */
  auditDays: number;
  metrics?: RelayMetrics;
  logger: Logger;
}

/** Interval of the passes. */
export const RETENTION_MS = 600_000;
/**
 * Retention works half of the time at most, so that a long backlog of expired rows leaves room for other statements.
 */
export const RETENTION_REST_FACTOR = 1;
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
/** Maximum number of batches of one kind before the others have their turn. */
const BATCHES = 100;

interface Batch {
  removed: number;
  /** There may be more. */
  isFull: boolean;
}

/** One kind of expired data. */
interface Kind {
  /** As the metric and the log call it. */
  what: Removed;
  /** Removes one batch. */
  remove(): Promise<Batch>;
}

interface Failure {
  what: Removed;
  error: unknown;
}

/** Returns every kind, in the order in which they have their turns. */
function kindsOf(deps: RetentionDeps): Kind[] {
  const { pool } = deps;
  const rows = (what: Removed, size: number, remove: (limit: number) => Promise<number>): Kind => ({
    what,
    async remove() {
      const removed = await remove(size);
      return { removed, isFull: removed >= size };
    },
  });
  const oldestPopular = dayOf(new Date()) - COUNTED_DAYS;
  const oldestCounted = dayOf(new Date()) - STATISTICS_DAYS;
  return [
    rows('deliveries', DELIVERIES, (limit) => deleteOldDeliveries(pool, JOURNAL_DAYS, limit)),
    rows('deliveries', DELIVERIES, (limit) => purgeDeletedWebhooks(pool, limit)),
    rows('webhook_hours', SMALL_ROWS, (limit) => deleteOldWebhookHours(pool, JOURNAL_DAYS, limit)),
    rows('event_ids', EVENT_IDS, (limit) => deleteExpiredIds(pool, limit)),
    rows('collected_events', COLLECTED_EVENTS, (limit) => deleteOldEventKeys(pool, deps.rememberCollectedHours, limit)),
    rows('sessions', SMALL_ROWS, (limit) => deleteEndedSessions(pool, limit)),
    rows('audit_entries', SMALL_ROWS, (limit) => deleteOldAuditEntries(pool, deps.auditDays, limit)),
    rows('invitations', SMALL_ROWS, (limit) => deleteExpiredInvitations(pool, limit)),
    rows('sign_in_links', SMALL_ROWS, (limit) => deleteExpiredSignInLinks(pool, limit)),
    rows('rate_buckets', SMALL_ROWS, (limit) => deleteFullBuckets(pool, limit)),
    rows('rate_windows', SMALL_ROWS, (limit) => deleteEmptyWindows(pool, limit)),
    rows('report_slots', SMALL_ROWS, (limit) => deleteExpiredReportSlots(pool, limit)),
    rows('output_snapshots', SMALL_ROWS, (limit) => deleteOldSnapshots(pool, limit)),
    rows('output_impressions', SMALL_ROWS, (limit) => deleteOldAnswered(pool, limit)),
    rows('output_experiments', SMALL_ROWS, (limit) => deleteOldExperiments(pool, limit)),
    rows('forgotten_lots', SMALL_ROWS, (limit) => deleteLateSampledPeople(pool, limit)),
    rows('item_hours', SMALL_ROWS, (limit) => deleteOldItemHours(pool, limit)),
    rows('popularity', SMALL_ROWS, (limit) => deleteOldPopularity(pool, oldestPopular, limit)),
    rows('item_statistics', SMALL_ROWS, (limit) => deleteOldStatistics(pool, oldestCounted, limit)),
    rows('output_models', SMALL_ROWS, (limit) => deleteOldModels(pool, limit)),
    rows('imports', IMPORTS, (limit) => deleteOldImports(pool, limit)),
    rows('reruns', SMALL_ROWS, (limit) => deleteOldReruns(pool, limit)),
    rows('exports', SMALL_ROWS, (limit) => deleteOldExports(pool, limit)),
    rows('recoveries', SMALL_ROWS, (limit) => deleteOldRecoveries(pool, limit)),
    rows('event_rejections', SMALL_ROWS, (limit) => deleteOldRejections(pool, limit)),
    rows('recent_states', SMALL_ROWS, (limit) => deleteOldRecentStates(pool, limit)),
    rows('deletions', SMALL_ROWS, (limit) => deleteOldLedgerEntries(pool, limit)),
    { what: 'blob_folders', remove: () => removeFolders(deps) },
  ];
}

/**
 * Makes one pass, which ends when nothing expired is left: with a fixed amount per pass, a table that fills faster
 * would grow for ever. A kind that fails is left to the next pass and does not stop the others, because what fails for
 * one table, such as a statement that takes too long, fails again in every pass. Safe to run in several relays: only
 * one of them makes the pass.
 * @param pace rests between batches; its end ends the pass after the current batch
 * @throws {Error} at the end of the pass, with every kind that failed: without PostgreSQL all do, and the log of the
 * caller needs one line for them
 */
export async function removeExpired(deps: RetentionDeps, pace: Pace = new Pace(0)): Promise<void> {
  const { pool, metrics, logger } = deps;
  await runExclusively(pool, 'retention', async () => {
    const sums = new Map<Removed, number>();
    const failures: Failure[] = [];
    const take = async (kind: Kind): Promise<boolean> => {
      const onRemoved = (removed: number): void => {
        metrics?.removed.inc({ what: kind.what }, removed);
        sums.set(kind.what, (sums.get(kind.what) ?? 0) + removed);
      };
      try {
        return await takeTurn(kind, pace, onRemoved);
      } catch (error) {
        failures.push({ what: kind.what, error });
        return false;
      }
    };
    for (let left = kindsOf(deps); left.length > 0;) {
      const unfinished: Kind[] = [];
      for (const kind of left) if (await take(kind)) unfinished.push(kind);
      left = unfinished;
    }
    const sumOf = (what: Removed): number => sums.get(what) ?? 0;
    const [deliveries, eventIds, folders] = [sumOf('deliveries'), sumOf('event_ids'), sumOf('blob_folders')];
    if (deliveries + eventIds + folders > 0)
      logger.info({ deliveries, eventIds, folders }, 'removed data past its retention time');
    if (failures[0]) throw new Error(describe(failures), { cause: failures[0].error });
  });
}

/** Names the kinds, grouped by the error that stopped them. */
function describe(failures: readonly Failure[]): string {
  const kinds = Map.groupBy(failures, ({ error }) => (error instanceof Error ? error.message : String(error)));
  const parts = [...kinds].map(
    ([message, of]) => `${[...new Set(of.map(({ what }) => what))].join(', ')} (${message})`,
  );
  return `could not remove data past its retention time: ${parts.join('; ')}`;
}

/**
 * Removes batches of one kind.
 * @returns true when it should have another turn: folders of which none could be removed are left to the next pass
 */
async function takeTurn(kind: Kind, pace: Pace, onRemoved: (removed: number) => void): Promise<boolean> {
  let sum = 0;
  for (let count = 0; count < BATCHES; count += 1) {
    if (pace.isOver) return false;
    const { removed, isFull } = await pace.work(() => kind.remove());
    onRemoved(removed);
    sum += removed;
    if (!isFull) return false;
  }
  return sum > 0;
}

/** Removes the folders that are due, and postpones those that it cannot remove. */
async function removeFolders({ pool, blobs, logger }: RetentionDeps): Promise<Batch> {
  const due = await listDueGarbage(pool, FOLDERS);
  const results = await Promise.allSettled(due.map(({ folder }) => blobs.removeFolder(folder)));
  const removed = due.filter((_, index) => results[index]?.status === 'fulfilled');
  await deleteGarbageRecords(pool, removed);
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
  return { removed: removed.length, isFull: due.length >= FOLDERS };
}
