/** Start and stop of every process of the service; the entries of api/ and workers/ only define what runs. */
import { createLogger, type Logger } from './logger.ts';
import { ConfigError, type Env } from './settingsReader.ts';

/** A started process; closing it finishes current work. */
export interface RunningProcess {
  close(): Promise<void>;
}

type Start<C> = (config: C, logger: Logger) => Promise<RunningProcess>;

/** The settings that the start and stop of every process need. */
export interface ProcessSettings {
  logLevel: string;
  /** Time that current work is given after a stop was requested, in ms. */
  workerGraceMs: number;
}

/** A fault that the operator has to fix: only its message is shown, without a stack. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** Work that hangs beyond this is abandoned; unfinished work is resumed after the restart. */
export const CLOSE_DEADLINE_MS = 17_000;

/**
 * Reads the configuration, starts, reports `{type: 'ready'}` to a parent process, and closes on SIGTERM, SIGINT or the
 * parent's end. A second signal ends the process at once. Exit codes: 0 after an orderly close, 1 after a fault of the
 * configuration, of the start or of the close.
 * @param load reads the configuration from the environment; it throws a ConfigError that names every fault
 */
export async function runProcess<C extends ProcessSettings>(
  name: string,
  load: (env: Env) => C,
  start: Start<C>,
): Promise<void> {
  const config = configOrExit(load);
  const logger = createLogger(name, config.logLevel);
  process.on('uncaughtException', (error) => {
    logger.fatal({ err: error }, 'uncaught exception');
    process.exit(1);
  });
  const stopRequested = untilStopRequested();
  const running = await startOrExit(name, () => start(config, logger), logger);
  process.send?.({ type: 'ready' });
  logger.info('ready');
  logger.info({ reason: await stopRequested }, 'stopping');
  await closeOrExit(running, CLOSE_DEADLINE_MS + config.workerGraceMs, logger);
  // An open IPC channel or a forgotten timer must not keep a closed process alive.
  process.exit(0);
}

function configOrExit<C>(load: (env: Env) => C): C {
  try {
    // The only place that takes the environment of a running process; config.ts reads it.
    return load(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const fault of error.faults) process.stderr.write(`${fault}\n`);
    return process.exit(1);
  }
}

async function startOrExit(
  name: string,
  start: () => Promise<RunningProcess>,
  logger: Logger,
): Promise<RunningProcess> {
  try {
    return await start();
  } catch (error) {
    if (error instanceof StartError) process.stderr.write(`${name}: ${error.message}\n`);
    else logger.fatal({ err: error }, 'could not start');
    return process.exit(1);
  }
}

/** Resolves with the cause of the stop; from then on another signal ends the process. */
function untilStopRequested(): Promise<string> {
  return new Promise((resolve) => {
    let isRequested = false;
    const requestStop = (reason: string): void => {
      if (isRequested) process.exit(1);
      isRequested = true;
      resolve(reason);
    };
    process.on('SIGTERM', () => requestStop('SIGTERM'));
    process.on('SIGINT', () => requestStop('SIGINT'));
    // This is not a second request when a signal came first: a parent that stops may end before its child.
    process.once('disconnect', () => {
      if (!isRequested) requestStop('parent gone');
    });
  });
}

async function closeOrExit(running: RunningProcess, afterMs: number, logger: Logger): Promise<void> {
  const deadline = setTimeout(() => {
    logger.error({ afterMs }, 'could not close in time');
    process.exit(1);
  }, afterMs);
  try {
    await running.close();
  } catch (error) {
    logger.error({ err: error }, 'could not close');
    process.exit(1);
  } finally {
    clearTimeout(deadline);
  }
}
