/**
 * Process: runs API_PROCESSES API processes on one port. SIGHUP replaces them one by one with processes of the current
 * code, and no request is refused meanwhile: a deployment without containers.
 */
import { join } from 'node:path';
import { loadConfig } from '../config.ts';
import { runProcess, StartError } from '../platform/process/lifecycle.ts';
import { createWorkerPool } from '../platform/process/workerPool.ts';

await runProcess('api', loadConfig, async (config, logger) => {
  const pool = createWorkerPool({
    entry: join(import.meta.dirname, 'main.ts'),
    size: config.apiProcesses,
    environmentOf: (slot) => ({ METRICS_PORT: config.metricsPort === 0 ? '0' : String(config.metricsPort + slot) }),
    onEvent: (message, details) => logger.info(details, message),
  });
  await pool.start().catch((error: Error) => {
    throw new StartError(error.message);
  });
  let replacing = Promise.resolve();
  process.on('SIGHUP', () => {
    replacing = replacing
      .then(() => pool.replaceAll())
      .then(() => logger.info('every API process was replaced'))
      .catch((error: unknown) =>
        logger.error({ err: error }, 'the API processes could not be replaced; the old ones keep serving'),
      );
  });
  return {
    async close() {
      await pool.stop();
    },
  };
});
