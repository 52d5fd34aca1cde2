/** Process: webhook delivery, both lanes. First attempts go out whether Temporal answers or not. */
import { startLanes } from '../activities/webhook/lanes.ts';
import { createPool } from '../db/pool.ts';
import { QUEUES } from '../domain/queues.ts';
import { runProcess, type RunningProcess } from '../process/lifecycle.ts';
import type { Logger } from '../process/logger.ts';
import { createRegistry, startMetrics } from '../process/metrics.ts';
import { createOutgoingAgent } from '../process/outgoingAgent.ts';
import { startTemporalWorker } from '../process/temporal.ts';

await runProcess('webhook', async (config, logger) => {
  const pool = createPool({ databaseUrl: config.databaseUrl, size: config.databasePoolSize, applicationName: 'attune-webhook' });
  const registry = createRegistry('webhook');
  const metrics = await startMetrics(config.metricsPort, registry);
  const agent = createOutgoingAgent(config);
  const { databaseUrl, secretKey, publicUrl } = config;
  const lanes = startLanes({ pool, databaseUrl, agent, secretKey, publicUrl, logger, registry });
  const worker = startInBackground(logger, () => startTemporalWorker(config, logger, {
    queue: QUEUES.webhook, activities: lanes.activities, concurrency: config.concurrency.webhook, registry,
  }));
  return {
    async close() {
      await Promise.all([lanes.close(), worker.close()]);
      await agent.destroy();
      await pool.end();
      await metrics.close();
    },
  };
});

/** Tries until it works; the first lane does not wait for Temporal, nor does the end of the process. */
function startInBackground(logger: Logger, start: () => Promise<RunningProcess>): RunningProcess {
  let running: RunningProcess | null = null;
  let closed = false;
  const tryUntilItWorks = async (): Promise<void> => {
    while (running === null && !closed) {
      running = await start().catch((error: unknown) => {
        logger.error({ err: error }, 'no retries of webhooks: Temporal does not answer');
        return null;
      });
    }
  };
  void tryUntilItWorks();
  return {
    async close() {
      closed = true;
      await running?.close();
    },
  };
}
