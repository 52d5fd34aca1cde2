/** The relay process: several loops, each with its own timer. */
import { Client } from '@temporalio/client';
import { createBlobStore } from '../../platform/blobs/createBlobStore.ts';
import type { KeylessConfig } from '../../config.ts';
import { listen } from '../../db/listen.ts';
import { OUTBOX_CHANNEL } from '../../db/jobs/outbox.ts';
import { createPool } from '../../db/pool.ts';
import { VOLUME_CHANNEL } from '../../db/analysis/volume.ts';
import { reviewBacklogs } from '../../db/webhooks/backlog.ts';
import { rememberHoursOf } from '../../domain/collect/collected.ts';
import type { RunningProcess } from '../../platform/process/lifecycle.ts';
import type { Logger } from '../../platform/process/logger.ts';
import { createRegistry, startMetrics } from '../../platform/process/metrics.ts';
import { Pace } from '../../platform/process/pace.ts';
import { lazyConnection } from '../../platform/process/temporalConnection.ts';
import { WakeUp } from '../../platform/process/wakeUp.ts';
import { copyLedger } from './copyDeletionLedger.ts';
import { dispatchForever } from './dispatch.ts';
import { repeat } from '../../platform/process/repeat.ts';
import { createRelayMetrics } from './metrics.ts';
import { popularityCounter, REST_FACTOR } from './popularity.ts';
import { Reconciler } from './reconcile.ts';
import { resumeForever } from './resumeVolume.ts';
import { removeExpired } from './removeExpired.ts';
import { Schedules } from './schedules.ts';
import { addUpItems } from './tallies.ts';
import { TemporalHealth } from './temporalHealth.ts';

const REPORT_MS = 5_000;
const RETENTION_MS = 600_000;
/**
 * Retention works half of the time at most, so that a long backlog of expired rows leaves room for other statements.
 */
const RETENTION_REST_FACTOR = 1;
const SCHEDULES_MS = 10_000;
const BACKLOGS_MS = 5_000;
/** Interval of copying the deletion ledger: until then a deletion is only in the database. */
const LEDGER_MS = 60_000;
/** Delay after which an event counts as popularity, as long as there are few. */
const POPULARITY_MS = 1_000;
/** Interval of adding up tallies; until then readers add up the changes of items themselves. */
const TALLIES_MS = 2_000;
/** Two connections for each loop that holds one while it works: the lock of the loop, or its transaction. */
const POOL_SIZE = 12;

export async function startRelay(config: KeylessConfig, logger: Logger): Promise<RunningProcess> {
  const pool = createPool({
    databaseUrl: config.databaseUrl,
    size: POOL_SIZE,
    applicationName: 'attune-relay',
    looksUpByIndex: true,
  });
  const connection = lazyConnection(config);
  const client = new Client({ connection, namespace: config.temporalNamespace });
  const health = new TemporalHealth(connection);
  const registry = createRegistry('relay');
  const metrics = createRelayMetrics(registry, pool);
  const metricsServer = await startMetrics(config, registry);

  const wakeUp = new WakeUp();
  let stopping = false;
  const listener = listen(
    config.databaseUrl,
    OUTBOX_CHANNEL,
    () => wakeUp.ring(),
    (error) => logger.warn({ err: error }, 'the connection for outbox notifications is lost'),
  );
  const dispatching = dispatchForever({ pool, client, health, metrics, logger }, wakeUp, () => stopping);
  const reporting = repeat(REPORT_MS, logger, 'service report', () => health.report(pool));
  const reconciler = new Reconciler({ pool, client, metrics, logger });
  const reconciling = repeat(config.reconcileIntervalMs, logger, 'reconciliation', async () => {
    if (health.reachable) await reconciler.pass(() => stopping);
  });
  const schedules = new Schedules(client);
  const scheduling = repeat(config.reconcileIntervalMs, logger, 'making schedules', async () => {
    if (health.reachable) await connection.withDeadline(Date.now() + SCHEDULES_MS, () => schedules.pass());
  });
  const reviewing = repeat(BACKLOGS_MS, logger, 'reviewing webhook backlogs', async () => {
    await reviewBacklogs(pool);
  });
  const volumeChanged = new WakeUp();
  const volumeListener = listen(
    config.databaseUrl,
    VOLUME_CHANNEL,
    () => volumeChanged.ring(),
    (error) => logger.warn({ err: error }, 'the connection for volume notifications is lost'),
  );
  const resuming = resumeForever({ pool, logger }, volumeChanged, () => stopping);
  const blobs = createBlobStore(config.blobs, config.workDir);
  const retentionPace = new Pace(RETENTION_REST_FACTOR);
  const retaining = repeat(RETENTION_MS, logger, 'retention', () =>
    removeExpired(
      {
        pool,
        blobs,
        rememberCollectedHours: rememberHoursOf(config.lateEventHours),
        auditDays: config.auditDays,
        metrics,
        logger,
      },
      retentionPace,
    ),
  );
  const copying = repeat(LEDGER_MS, logger, 'copying the ledger of deletions', () =>
    copyLedger({ pool, blobs, workDir: config.workDir }),
  );
  const countingPace = new Pace(REST_FACTOR);
  const counting = repeat(
    POPULARITY_MS,
    logger,
    'counting popularity',
    popularityCounter({ pool, logger }, countingPace),
  );
  const tallying = repeat(TALLIES_MS, logger, 'counting items', () => addUpItems(pool, () => stopping));

  return {
    async close() {
      stopping = true;
      wakeUp.ring();
      volumeChanged.ring();
      countingPace.end();
      retentionPace.end();
      await Promise.all([
        dispatching,
        resuming,
        volumeListener.close(),
        reporting.close(),
        reconciling.close(),
        scheduling.close(),
        reviewing.close(),
        retaining.close(),
        copying.close(),
        counting.close(),
        tallying.close(),
        listener.close(),
      ]);
      await connection.close();
      await pool.end();
      await metricsServer.close();
    },
  };
}
