/** Metrics of the relay. */
import { Counter, type Registry } from 'prom-client';
import { JOB_KINDS } from '../../domain/jobs/jobs.ts';
import type { OutboxKind } from '../../db/jobs/outbox.ts';
import type { Queryable } from '../../db/pool.ts';
import { OUTBOX_STATE, POPULARITY_STATE } from '../../db/installation/waitingWorkGauges.ts';
import { registerStateGauges } from '../../platform/process/metrics/stateGauges.ts';

export interface RelayMetrics {
  /** Rows that Temporal took, by kind. */
  readonly handedOver: Counter<'kind'>;
  /** Rows that Temporal refused or did not answer for. */
  readonly notTaken: Counter<'reason'>;
  /** Work that the reconciler found missing, by kind. */
  readonly found: Counter<'kind'>;
  /** Rows and files that retention removed, by the kinds of {@link REMOVED}. */
  readonly removed: Counter<'what'>;
}

/** The kinds of expired data. */
const REMOVED = [
  'deliveries',
  'webhook_hours',
  'event_ids',
  'collected_events',
  'sessions',
  'audit_entries',
  'invitations',
  'sign_in_links',
  'rate_buckets',
  'rate_windows',
  'report_slots',
  'output_snapshots',
  'output_impressions',
  'output_experiments',
  'forgotten_lots',
  'item_hours',
  'popularity',
  'item_statistics',
  'output_models',
  'imports',
  'reruns',
  'exports',
  'recoveries',
  'event_rejections',
  'recent_states',
  'deletions',
  'blob_folders',
] as const;
export type Removed = (typeof REMOVED)[number];

const KINDS: readonly OutboxKind[] = ['item', 'delivery', 'exports', ...JOB_KINDS];

/**
 * Registers the relay's metrics. Every series exists from the start, so that the first event is visible as an increase.
 */
export function createRelayMetrics(registry: Registry, pool: Queryable): RelayMetrics {
  const registers = [registry];
  registerStateGauges(registry, () => OUTBOX_STATE.read(pool), OUTBOX_STATE.gauges);
  registerStateGauges(registry, () => POPULARITY_STATE.read(pool), POPULARITY_STATE.gauges);
  const metrics = {
    handedOver: new Counter({
      name: 'attune_outbox_handed_over_total',
      help: 'Outbox rows that Temporal took',
      labelNames: ['kind'],
      registers,
    }),
    notTaken: new Counter({
      name: 'attune_outbox_not_taken_total',
      help: 'Failed attempts to hand over an outbox row: refused or unanswered',
      labelNames: ['reason'],
      registers,
    }),
    found: new Counter({
      name: 'attune_reconciler_found_total',
      help: 'Lost work that was found and put back into the outbox',
      labelNames: ['kind'],
      registers,
    }),
    removed: new Counter({
      name: 'attune_retention_removed_total',
      help: 'Rows and folders that were removed after their retention time',
      labelNames: ['what'],
      registers,
    }),
  } satisfies RelayMetrics;
  for (const kind of KINDS) {
    metrics.handedOver.inc({ kind }, 0);
    metrics.found.inc({ kind }, 0);
  }
  for (const reason of ['refused', 'unanswered']) metrics.notTaken.inc({ reason }, 0);
  for (const what of REMOVED) metrics.removed.inc({ what }, 0);
  return metrics;
}
