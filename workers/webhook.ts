/** Process: webhook delivery, both lanes. First attempts go out whether Temporal answers or not. */
import { createWebhookActivities } from '../activities/webhook/index.ts';
import { createMailActivities } from '../activities/webhook/exportMail.ts';
import { createPool } from '../db/pool.ts';
import { startLanes } from '../loops/delivery/lanes.ts';
import { QUEUES } from '../domain/jobs/queues.ts';
import { createMailer } from '../platform/outgoing/mail.ts';
import { loadConfig } from '../config.ts';
import { keepWorkerRunning } from '../platform/process/temporal/keepWorkerRunning.ts';
import { runProcess } from '../platform/process/lifecycle.ts';
import { createRegistry, startMetrics } from '../platform/process/metrics/metrics.ts';
import { createOutgoingAgent } from '../platform/process/outgoingAgent.ts';
import { startTemporalWorker } from '../platform/process/temporal/temporalWorkers.ts';

await runProcess('webhook', loadConfig, async (config, logger) => {
  const pool = createPool({
    databaseUrl: config.databaseUrl,
    size: config.databasePoolSize,
    applicationName: 'attune-webhook',
  });
  const registry = createRegistry('webhook');
  const metrics = await startMetrics(config, registry);
  const agent = createOutgoingAgent(config, logger);
  const { databaseUrl, secretKey, publicUrl } = config;
  const lanes = startLanes({ pool, databaseUrl, agent, secretKey, publicUrl, logger, registry });
  const mailer = config.mail && createMailer(config.mail);
  const activities = {
    ...createWebhookActivities(lanes.parts),
    ...createMailActivities({ pool, mailer, secretKey, publicUrl, logger }),
  };
  // Neither the first lane nor the end of the process waits for Temporal.
  const worker = keepWorkerRunning('the worker of webhook retries', logger, () =>
    startTemporalWorker(config, logger, {
      queue: QUEUES.webhook,
      activities,
      concurrency: config.concurrency.webhook,
      registry,
      connectTries: 1,
    }),
  );
  return {
    async close() {
      await Promise.all([lanes.close(), worker.close()]);
      mailer?.close();
      await agent.destroy();
      await pool.end();
      await metrics.close();
    },
  };
});
