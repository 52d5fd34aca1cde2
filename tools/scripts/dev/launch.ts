/** Runs the stack from the first check to the end of the last process. */
import { join } from 'node:path';
import type { Env } from '../../../config.ts';
import { killChildren } from './lock/children.ts';
import { runDemo } from './demo/run.ts';
import { removeDescription, type DevDescription } from './settings/devFiles.ts';
import { preflight, StartError } from './preflight.ts';
import { runSampleTraffic } from './sampleTraffic/run.ts';
import { createScreen, describeInWords, makeReporter, type Screen } from './screen.ts';
import type { ServiceSpec } from './services/services.ts';
import { USAGE, type DevSettings } from './settings/devSettings.ts';
import { Stack } from './stack.ts';
import type { StackLock } from './lock/stackLock.ts';
import { onStopRequest, type StopRequest } from './lock/stopRequest.ts';

/** Above the sum of the limits for each part (stack.ts), which a busy machine exceeds by seconds. */
const STOP_LIMIT_MS = 45_000;

export interface LaunchOptions {
  /** The project's folder. */
  root: string;
  /** Folder that the services' entry points and sources are relative to. */
  servicesRoot: string;
  services: readonly ServiceSpec[];
  env: Env;
  args: readonly string[];
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
}

/**
 * Runs until it is asked to stop. Always ends every process that it started.
 * @returns the exit code: 1 when the start failed or had to be killed.
 */
export async function launch(options: LaunchOptions): Promise<number> {
  const { env, args, stdout, stderr } = options;
  stdout.on('error', () => {}); // the terminal may close first; the stop must not fail because of it
  if (args.includes('--help')) {
    stdout.write(USAGE);
    return 0;
  }
  const screen = createScreen(stdout);
  const report = makeReporter(screen.print);
  try {
    const { settings, lock } = await preflight(env, args, report);
    return await run(options, { settings, lock, report, screen });
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    for (const fault of error.faults) stderr.write(`${fault}\n`);
    return 1;
  }
}

interface Prepared {
  settings: DevSettings;
  lock: StackLock;
  report: (line: string) => void;
  screen: Screen;
}

async function run(options: LaunchOptions, prepared: Prepared): Promise<number> {
  const { lock, report, settings } = prepared;
  const request = onStopRequest({
    onFirst: () => report('stopping; Ctrl-C again kills everything at once'),
    onSecond: () => void forceExit(lock, settings.dataDir, () => report('killed')),
  });
  const { root, servicesRoot, services, env } = options;
  const stack = new Stack({ root, servicesRoot, services, env, settings, lock, report, stopping: request.signal });
  let failed = false;
  try {
    await work(options, prepared, stack, request);
  } catch (error) {
    failed = !request.signal.aborted;
    if (failed) report((error as Error).message);
  }
  const limit = setTimeout(
    () => void forceExit(lock, settings.dataDir, () => report(`not stopped after ${STOP_LIMIT_MS / 1000} s: killed`)),
    STOP_LIMIT_MS,
  );
  await stack.stop();
  await lock.release();
  clearTimeout(limit);
  report('stopped');
  return failed ? 1 : 0;
}

async function work(
  { root }: LaunchOptions,
  { settings, screen }: Prepared,
  stack: Stack,
  request: StopRequest,
): Promise<void> {
  const { description, samples } = await stack.start();
  screen.print(`${describeInWords(description, settings.dataDir, process.uptime())}\n`);
  const demo = runDemo({
    mode: settings.demo,
    description,
    samples,
    samplesDir: join(root, 'tools/samples'),
    screen,
    signal: request.signal,
  });
  await Promise.all([request.requested, demo.then(() => fillSite(description, settings, screen, request.signal))]);
}

/** Runs after the samples, because both show a block on the screen. */
async function fillSite(
  description: DevDescription,
  { sampleTrafficDays: days, dataDir }: DevSettings,
  screen: Screen,
  signal: AbortSignal,
): Promise<void> {
  if (days !== null && !signal.aborted) await runSampleTraffic({ days, dataDir, description, screen, signal });
}

async function forceExit(lock: StackLock, dataDir: string, tell: () => void): Promise<void> {
  tell();
  await killChildren();
  await removeDescription(dataDir);
  await lock.release();
  process.exit(1);
}
