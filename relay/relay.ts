/** The relay process: its loops, each on its own clock. */
import { Client } from '@temporalio/client';
import type { Config } from '../config.ts';
import { listen } from '../db/listen.ts';
import { OUTBOX_CHANNEL } from '../db/outbox.ts';
import { createPool } from '../db/pool.ts';
import type { RunningProcess } from '../process/lifecycle.ts';
import type { Logger } from '../process/logger.ts';
import { createRegistry, startMetrics } from '../process/metrics.ts';
import { lazyConnection } from '../process/temporal.ts';
import { WakeUp } from '../process/wakeUp.ts';
import { dispatchForever } from './dispatch.ts';
import { repeat } from '../process/repeat.ts';
import { reconcile } from './reconcile.ts';
import { TemporalHealth } from './temporalHealth.ts';

const REPORT_MS = 5_000;

export async function startRelay(config: Config, logger: Logger): Promise<RunningProcess> {
  const pool = createPool({ databaseUrl: config.databaseUrl, size: 4, applicationName: 'attune-relay' });
  const connection = lazyConnection(config);
  const client = new Client({ connection, namespace: config.temporalNamespace });
  const health = new TemporalHealth(connection);
  const metrics = await startMetrics(config, createRegistry('relay'));

  const wakeUp = new WakeUp();
  let stopping = false;
  const listener = listen(config.databaseUrl, OUTBOX_CHANNEL, () => wakeUp.ring(), (error) => logger.warn({ err: error }, 'outbox notifications are away'));
  const dispatching = dispatchForever({ pool, client, health, logger }, wakeUp, () => stopping);
  const reporting = repeat(REPORT_MS, logger, 'service report', () => health.report(pool));
  const reconciling = repeat(config.reconcileIntervalMs, logger, 'reconciliation', async () => {
    if (health.reachable) await reconcile({ pool, client, logger });
  });

  return {
    async close() {
      stopping = true;
      wakeUp.ring();
      await Promise.all([dispatching, reporting.close(), reconciling.close(), listener.close()]);
      await connection.close();
      await pool.end();
      await metrics.close();
    },
  };
}
