/** The relay process: several loops, each with its own timer. */
import { Client, type Connection } from '@temporalio/client';
import type pg from 'pg';
import { createBlobStore, type BlobStore } from '../../platform/blobs/createBlobStore.ts';
import type { KeylessConfig } from '../../config.ts';
import { listen } from '../../db/listen.ts';
import { OUTBOX_CHANNEL } from '../../db/jobs/outbox.ts';
import { createPool } from '../../db/pool.ts';
import { VOLUME_CHANNEL } from '../../db/analysis/volume.ts';
import { reviewBacklogs } from '../../db/webhooks/backlog.ts';
import { rememberHoursOf } from '../../domain/collect/repeatHours.ts';
import { BACKLOG_REVIEW_MS } from '../../domain/webhooks/backlog.ts';
import type { RunningProcess } from '../../platform/process/lifecycle.ts';
import type { Logger } from '../../platform/process/logger.ts';
import { createRegistry, startMetrics } from '../../platform/process/metrics/metrics.ts';
import { Pace } from '../../platform/process/concurrency/pace.ts';
import { lazyConnection } from '../../platform/process/temporal/temporalConnection.ts';
import { WakeUp } from '../../platform/process/concurrency/wakeUp.ts';
import { copyLedger, LEDGER_MS } from './copyDeletionLedger.ts';
import { dispatchForever } from './dispatch.ts';
import { repeat } from '../../platform/process/concurrency/repeat.ts';
import { createRelayMetrics, type RelayMetrics } from './metrics.ts';
import { POPULARITY_MS, popularityCounter, REST_FACTOR } from './popularityCounter.ts';
import { startReconciling } from './reconcile.ts';
import { resumeForever } from './resumeVolume.ts';
import { removeExpired, RETENTION_MS, RETENTION_REST_FACTOR } from './removeExpired.ts';
import { Schedules } from './schedules.ts';
import { addUpItems, TALLIES_MS } from './tallies.ts';
import { REPORT_MS, TemporalHealth } from './temporalHealth.ts';

/** Time limit for making the schedules. */
const SCHEDULES_MS = 10_000;
/**
 * Enough for six loops at a time: each keeps one connection for its lock or its transaction, and may need a second one.
 */
const POOL_SIZE = 12;

/** Shared by all loops. */
interface Relay {
  config: KeylessConfig;
  pool: pg.Pool;
  connection: Connection;
  client: Client;
  health: TemporalHealth;
  metrics: RelayMetrics;
  logger: Logger;
  isStopping: () => boolean;
}

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

  let stopping = false;
  const isStopping = (): boolean => stopping;
  const relay: Relay = { config, pool, connection, client, health, metrics, logger, isStopping };
  const loops = [
    startDispatching(relay),
    ...startTemporalLoops(relay),
    startResuming(relay),
    ...startTableLoops(relay),
  ];

  return {
    async close() {
      stopping = true;
      await Promise.all(loops.map((loop) => loop.close()));
      await connection.close();
      await pool.end();
      await metricsServer.close();
    },
  };
}

/** Hands the outbox over to Temporal. */
function startDispatching(relay: Relay): RunningProcess {
  return startOnNotification(relay, { channel: OUTBOX_CHANNEL, kind: 'outbox' }, (wakeUp) =>
    dispatchForever(relay, wakeUp, relay.isStopping),
  );
}

/** Resumes the items that waited for analysis volume. */
function startResuming(relay: Relay): RunningProcess {
  return startOnNotification(relay, { channel: VOLUME_CHANNEL, kind: 'volume' }, (wakeUp) =>
    resumeForever(relay, wakeUp, relay.isStopping),
  );
}

/** Starts a loop that the database's notifications wake up. */
function startOnNotification(
  { config, logger }: Relay,
  { channel, kind }: { channel: string; kind: string },
  run: (wakeUp: WakeUp) => Promise<void>,
): RunningProcess {
  const wakeUp = new WakeUp();
  const listener = listen(
    config.databaseUrl,
    channel,
    () => wakeUp.ring(),
    (error) => logger.warn({ err: error }, `the connection for ${kind} notifications is lost`),
  );
  const running = run(wakeUp);
  return {
    async close() {
      wakeUp.ring();
      await Promise.all([running, listener.close()]);
    },
  };
}

/** Reports whether Temporal answers, and while it does, finds work that it lost and sets up its schedules. */
function startTemporalLoops(relay: Relay): RunningProcess[] {
  const { config, pool, connection, client, health, logger } = relay;
  const schedules = new Schedules(client);
  return [
    repeat(REPORT_MS, logger, 'service report', () => health.report(pool)),
    startReconciling({ ...relay, intervalMs: config.reconcileIntervalMs }, relay.isStopping),
    repeat(config.reconcileIntervalMs, logger, 'making schedules', async () => {
      if (health.reachable) await connection.withDeadline(Date.now() + SCHEDULES_MS, () => schedules.pass());
    }),
  ];
}

/** Counts, reviews, copies and removes rows; none of it needs Temporal. */
function startTableLoops(relay: Relay): RunningProcess[] {
  const { config, pool, logger, isStopping } = relay;
  const blobs = createBlobStore(config.blobs, config.workDir);
  return [
    repeat(BACKLOG_REVIEW_MS, logger, 'reviewing webhook backlogs', () => reviewBacklogs(pool)),
    startRetention(relay, blobs),
    repeat(LEDGER_MS, logger, 'copying the ledger of deletions', () =>
      copyLedger({ pool, blobs, workDir: config.workDir }),
    ),
    startCounting(relay),
    repeat(TALLIES_MS, logger, 'counting items', () => addUpItems(pool, isStopping)),
  ];
}

function startRetention({ config, pool, metrics, logger }: Relay, blobs: BlobStore): RunningProcess {
  const pace = new Pace(RETENTION_REST_FACTOR);
  const rememberCollectedHours = rememberHoursOf(config.lateEventHours);
  const deps = { pool, blobs, rememberCollectedHours, auditDays: config.auditDays, metrics, logger };
  return withPace(
    pace,
    repeat(RETENTION_MS, logger, 'retention', () => removeExpired(deps, pace)),
  );
}

function startCounting({ pool, logger }: Relay): RunningProcess {
  const pace = new Pace(REST_FACTOR);
  return withPace(
    pace,
    repeat(POPULARITY_MS, logger, 'counting popularity', popularityCounter({ pool, logger }, pace)),
  );
}

/** Interrupts the pauses of a loop when it is closed. */
function withPace(pace: Pace, loop: RunningProcess): RunningProcess {
  return {
    async close() {
      pace.end();
      await loop.close();
    },
  };
}
