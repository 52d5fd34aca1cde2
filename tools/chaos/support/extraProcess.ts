/** Another process of a kind, alongside the stack's own: a second worker, or one with a fault. */
import { readFile, readlink } from 'node:fs/promises';
import { spawnService, type ServiceProcess } from '../../scripts/dev/services/serviceProcess.ts';
import { SERVICES } from '../../scripts/dev/services/services.ts';
import { freePort } from '../../scripts/engines/servers/freePort.ts';
import { settlesWithin } from '../../scripts/engines/fetch/process.ts';
import type { WholeStack } from '../../../test/support/whole/stack.ts';

const READY_LIMIT_MS = 240_000;
const STOP_GRACE_MS = 60_000;

export interface ExtraProcess {
  name: string;
  pid: number;
  /** Address that it listens on, when it is an API: http://127.0.0.1:PORT. */
  origin: string;
  metricsUrl: string;
  /** Runs kill -9, and waits for the end. */
  kill(): Promise<void>;
  /** Stops it as a deploy does: with SIGTERM, so that it may finish its current work. */
  stop(): Promise<void>;
}

/**
 * Starts a second process of a kind with exactly the environment of the stack's own, except for ports, and resolves
 * when it is ready.
 * @param name of the process in the stack's pids: api, relay, webhook, …
 * @param env settings that add to or replace those of the stack's process
 * @throws with its last output when it exits first, or is not ready in time
 */
async function startExtraProcess(
  stack: WholeStack,
  name: string,
  env: Record<string, string> = {},
): Promise<ExtraProcess> {
  const pid = (await stack.pids())[name];
  const spec = SERVICES.find((service) => service.name === name);
  if (pid === undefined || spec === undefined) throw new Error(`the stack has no process ${name}`);
  const [port, metricsPort] = [await freePort(), await freePort()];
  const child = spawnService({
    root: await readlink(`/proc/${pid}/cwd`),
    entry: spec.entry,
    env: { ...(await environmentOf(pid)), PORT: String(port), METRICS_PORT: String(metricsPort), ...env },
    onLine: () => {},
  });
  await untilReady(name, child);
  return {
    name,
    pid: child.pid,
    origin: `http://127.0.0.1:${port}`,
    metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`,
    async kill() {
      if (!child.ended) process.kill(child.pid, 'SIGKILL');
      await child.exited;
    },
    stop: () => child.stop(STOP_GRACE_MS),
  };
}

/** Starts one of each name; when one fails to start, ends the others. */
export async function startExtraProcesses(
  stack: WholeStack,
  names: readonly string[],
  env: (name: string) => Record<string, string> = () => ({}),
): Promise<ExtraProcess[]> {
  const started = await Promise.allSettled(names.map((name) => startExtraProcess(stack, name, env(name))));
  const extras = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const failed = started.find((result) => result.status === 'rejected');
  if (failed === undefined) return extras;
  await Promise.all(extras.map((extra) => extra.kill()));
  throw failed.reason;
}

/** Returns the sum of a counter over its labels, as a process reports it; 0 before its first count. */
export async function counterOf(extra: ExtraProcess, metric: string): Promise<number> {
  const text = await (await fetch(extra.metricsUrl)).text();
  const lines = text.split('\n').filter((line) => line.startsWith(`${metric}{`) || line.startsWith(`${metric} `));
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
}

/**
 * Returns the environment that the process was started with, without the channel to its launcher, which only that
 * process may use.
 */
async function environmentOf(pid: number): Promise<Record<string, string>> {
  const entries = (await readFile(`/proc/${pid}/environ`, 'utf8')).split('\0').filter(Boolean);
  const pairs = entries.map((entry): [string, string] => [
    entry.slice(0, entry.indexOf('=')),
    entry.slice(entry.indexOf('=') + 1),
  ]);
  return Object.fromEntries(pairs.filter(([name]) => !name.startsWith('NODE_CHANNEL_')));
}

async function untilReady(name: string, child: ServiceProcess): Promise<void> {
  const ended = child.exited.then((exitDescription) => {
    throw new Error(`the second ${name} ended with ${exitDescription}: ${child.tail().join('\n')}`);
  });
  ended.catch(() => {});
  if (await settlesWithin(Promise.race([child.ready, ended]), READY_LIMIT_MS)) return;
  await child.stop(0);
  throw new Error(`the second ${name} was not ready within ${READY_LIMIT_MS / 1000} s`);
}
