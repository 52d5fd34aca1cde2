/** Each alert that a single value decides fires above its limit and is silent below it. */
import { describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { registerDiskGauges } from '../../platform/process/metrics/diskGauges.ts';
import { ALERTS, firesAt, seriesOf } from './support/alerting.ts';
import { readExposition } from './support/exposition.ts';
import type { Labels } from './support/promqlVectors.ts';

const HOUR = 3_600;
const ATTUNE = { job: 'attune', instance: 'api:9464', service: 'api' };

/** Alerts on a value that stays the same for an hour. */
const VALUES: [alert: string, metric: string, labels: Labels, bad: number, good: number][] = [
  ['AttuneProcessDown', 'up', ATTUNE, 0, 1],
  ['AttuneConnectionsExhausted', 'attune_database_connections', { ...ATTUNE, state: 'waiting' }, 1, 0],
  ['AttuneOutboxNotTaken', 'attune_outbox_lag_seconds', ATTUNE, 310, 290],
  ['AttuneOutboxRefused', 'attune_outbox_refused_rows', ATTUNE, 1, 0],
  ['AttuneDeliveriesPileUp', 'attune_queue_depth', { ...ATTUNE, queue: 'deliveries' }, 20_001, 20_000],
  ['AttuneWebhookFailsForAnHour', 'attune_webhooks_failing', { ...ATTUNE, for: '1h' }, 1, 0],
  ['AttuneWebhookFailsForADay', 'attune_webhooks_failing', { ...ATTUNE, for: '24h' }, 1, 0],
  ['AttuneWebhookEventsDropped', 'attune_webhooks_over_backlog', ATTUNE, 1, 0],
  ['AttuneHitsNotIngested', 'attune_ingest_lag_seconds', ATTUNE, 130, 110],
  ['AttuneLakeNotFilled', 'attune_lake_staged_age_seconds', ATTUNE, 310, 290],
  ['AttuneLakeUpkeepStands', 'attune_lake_snapshot_age_seconds', ATTUNE, 1.1 * HOUR, HOUR],
  ['AttuneTrainingFails', 'attune_training_failed_projects', ATTUNE, 1, 0],
  ['AttuneTrainingMissing', 'attune_training_night_age_seconds', ATTUNE, 31 * HOUR, 29 * HOUR],
  ['AttuneTrainingMissing', 'attune_training_age_seconds', ATTUNE, 12.1 * HOUR, 12 * HOUR],
  ['AttuneForgettingLate', 'attune_training_forgotten_age_seconds', ATTUNE, 1.1 * HOUR, HOUR],
  ['AttuneVisitorNotDeleted', 'attune_visitor_deletions_age_seconds', ATTUNE, 25 * HOUR, 24 * HOUR],
  ['AttuneEventLoopBlocked', 'nodejs_eventloop_lag_p99_seconds', ATTUNE, 0.6, 0.4],
  ['AttuneDiskFillsUp', 'attune_disk_free_ratio', { ...ATTUNE, folder: 'work' }, 0.14, 0.16],
  ['AttuneDiskFull', 'attune_disk_free_ratio', { ...ATTUNE, folder: 'work' }, 0.04, 0.06],
  ['AttunePostgresConnections', 'attune_postgres_connections_ratio', ATTUNE, 0.95, 0.85],
  ['AttunePostgresTransactions', 'attune_postgres_transactions_ratio', ATTUNE, 0.6, 0.4],
  ['AttuneArchiveFails', 'attune_postgres_archive_failing_seconds', ATTUNE, 1_000, 600],
  ['AttuneBackupOld', 'attune_backup_age_seconds', ATTUNE, 27 * HOUR, 25 * HOUR],
  ['TemporalDown', 'up', { job: 'temporal', instance: 'temporal:9090' }, 0, 1],
  ['TemporalTasksWait', 'approximate_backlog_age_seconds', { taskqueue: 'workflow', task_type: 'Workflow' }, 910, 890],
];

/** Alerts on the share of some kinds of what is counted. */
const SHARES: [alert: string, counter: string, label: string, kind: string, bad: number, good: number][] = [
  ['AttuneErrors', 'attune_http_request_duration_seconds_count', 'status', '503', 0.02, 0.005],
  ['AttuneWebhooksFail', 'attune_webhook_attempts_total', 'outcome', 'timeout', 0.6, 0.4],
  ['AttuneReportsFail', 'attune_report_seconds_count', 'outcome', 'unavailable', 0.06, 0.04],
  ['AttuneReportsFail', 'attune_report_seconds_count', 'outcome', 'failed', 0.06, 0.04],
  ['AttuneReportsWait', 'attune_report_seconds_count', 'outcome', 'busy', 0.25, 0.15],
  ['AttuneReportsWait', 'attune_report_seconds_count', 'outcome', 'timeout', 0.25, 0.15],
  ['AttuneReportsWait', 'attune_report_seconds_count', 'outcome', 'sampled', 0.25, 0.15],
  ['AttuneActivitiesFail', 'attune_activity_duration_seconds_count', 'outcome', 'failed', 0.6, 0.4],
];
/** The value of each label that means success; such requests are counted too. */
const FINE: Record<string, string> = { status: '200', outcome: 'delivered' };

/** Alerts with tests of their own, below or in the files next to this one. */
const OTHERS = [
  'AttuneServiceMissing',
  'AttuneProcessRestarting',
  'AttuneSlow',
  'AttuneDatabaseUnreachable',
  'AttuneRecommendationsFallBack',
  'AttuneRecommendationsOftenFallBack',
  'AttuneCatalogueTooLarge',
  'AttuneCatalogueBehind',
  'AttuneWorkflowStuck',
  'AttuneWorkWasLost',
  'AttuneWebhookSecretUnreadable',
  'AttuneHitsSetAside',
];

describe.each(VALUES)('%s, by %s', (alert, metric, labels, bad, good) => {
  const told = (value: number) => [seriesOf(metric, labels, HOUR, () => value)];

  it(`fires at ${bad} and not at ${good}`, () => {
    expect(firesAt(alert, told(bad), HOUR)).not.toBeNull();
    expect(firesAt(alert, told(good), HOUR)).toBeNull();
  });
});

describe.each(SHARES)('%s, by %s with %s=%s', (alert, counter, label, kind, bad, good) => {
  const counted = (value: string, perSecond: number) =>
    seriesOf(counter, { ...ATTUNE, activity: 'describe', [label]: value }, HOUR, (seconds) => seconds * perSecond);
  const told = (share: number) => [counted(kind, share), counted(FINE[label] ?? '', 1 - share)];

  it(`fires at ${bad} and not at ${good}`, () => {
    expect(firesAt(alert, told(bad), HOUR)).not.toBeNull();
    expect(firesAt(alert, told(good), HOUR)).toBeNull();
  });
});

describe('AttuneProcessRestarting', () => {
  const startedEvery = (seconds: number) => [
    seriesOf('process_start_time_seconds', ATTUNE, HOUR, (at) => at - (at % seconds)),
  ];

  it('fires at a start every five minutes and not at one every fifteen', () => {
    expect(firesAt('AttuneProcessRestarting', startedEvery(300), HOUR)).not.toBeNull();
    expect(firesAt('AttuneProcessRestarting', startedEvery(900), HOUR)).toBeNull();
  });
});

describe('AttuneSlow', () => {
  const answered = (slow: number) =>
    [1, 2.5, 5, Infinity].map((le) =>
      seriesOf(
        'attune_http_request_duration_seconds_bucket',
        { ...ATTUNE, route: '/items/{id}', le: le === Infinity ? '+Inf' : String(le) },
        HOUR,
        (seconds) => seconds * (le >= 5 ? 1 : 1 - slow),
      ),
    );

  it('fires if two requests in a hundred take more than 2.5 s, and not if one in two hundred does', () => {
    expect(firesAt('AttuneSlow', answered(0.02), HOUR)).not.toBeNull();
    expect(firesAt('AttuneSlow', answered(0.005), HOUR)).toBeNull();
  });
});

describe('AttuneDatabaseUnreachable', () => {
  const api = (isUp: number) => seriesOf('up', ATTUNE, HOUR, () => isUp);
  const depth = seriesOf('attune_queue_depth', { ...ATTUNE, queue: 'outbox' }, HOUR, () => 0);

  it('fires if the API runs and cannot count, and neither while it can nor while it does not run', () => {
    expect(firesAt('AttuneDatabaseUnreachable', [api(1)], HOUR)).not.toBeNull();
    expect(firesAt('AttuneDatabaseUnreachable', [api(1), depth], HOUR)).toBeNull();
    expect(firesAt('AttuneDatabaseUnreachable', [api(0)], HOUR)).toBeNull();
  });
});

describe('AttuneWebhookSecretUnreadable', () => {
  const dropped = (obstacle: string, perMinute: number) => [
    seriesOf('attune_webhook_dropped_total', { ...ATTUNE, obstacle }, HOUR, (at) => Math.floor(at / 60) * perMinute),
  ];

  it('fires if events are dropped for that reason, and not for another', () => {
    expect(firesAt('AttuneWebhookSecretUnreadable', dropped('secret', 1), HOUR)).not.toBeNull();
    expect(firesAt('AttuneWebhookSecretUnreadable', dropped('secret', 0), HOUR)).toBeNull();
    expect(firesAt('AttuneWebhookSecretUnreadable', dropped('disabled', 1), HOUR)).toBeNull();
  });
});

describe('AttuneHitsSetAside', () => {
  const told = (requests: number, rows: number) => [
    seriesOf('attune_ingest_set_aside', ATTUNE, HOUR, () => requests),
    seriesOf('attune_lake_failed_rows', ATTUNE, HOUR, () => rows),
  ];

  it('fires at one request or one row, and not at none', () => {
    expect(firesAt('AttuneHitsSetAside', told(1, 0), HOUR)).not.toBeNull();
    expect(firesAt('AttuneHitsSetAside', told(0, 1), HOUR)).not.toBeNull();
    expect(firesAt('AttuneHitsSetAside', told(0, 0), HOUR)).toBeNull();
  });
});

it('every alert is tested', () => {
  const tested = new Set([...VALUES.map(([alert]) => alert), ...SHARES.map(([alert]) => alert), ...OTHERS]);
  expect([...tested].sort()).toEqual(ALERTS.map(({ alert }) => alert).sort());
});

describe('the free space on disks', () => {
  it('is reported for each existing folder', async () => {
    const registry = new Registry();
    registerDiskGauges(registry, { work: '/', lost: '/not/there' });
    const told = readExposition(await registry.metrics());
    expect(told.map(({ labels }) => labels['folder'])).toEqual(['work']);
    const free = told[0]?.samples[0]?.[1] ?? -1;
    expect(free).toBeGreaterThanOrEqual(0);
    expect(free).toBeLessThanOrEqual(1);
  });
});
