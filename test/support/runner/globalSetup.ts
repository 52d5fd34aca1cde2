/**
 * Builds the tag and the cabinet's web app, and starts the broker, which is cheap: it starts servers only when a
 * test requests them.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { buildCabinet } from '../../../tools/scripts/cabinet/build.ts';
import { buildTag } from '../../../tools/scripts/tag/build.ts';
import { BROKER_VARIABLE } from '../servers/brokerClient.ts';

declare global {
  var attuneTestBroker: ChildProcess | undefined;
}

export default async function globalSetup(): Promise<void> {
  await Promise.all([buildTag(), buildCabinet()]);
  const { NODE_OPTIONS: _forJestOnly, ...env } = process.env;
  const args = ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, '../servers/broker.ts')];
  const broker = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'], env, detached: true });
  const ended = once(broker, 'exit').then(([code]) => Promise.reject(new Error(`the test broker ended with ${code}`)));
  const [port] = (await Promise.race([once(broker.stdout, 'data'), ended])) as [Buffer];
  ended.catch(() => {}); // from now on globalTeardown handles its end
  process.env[BROKER_VARIABLE] = String(port).trim();
  globalThis.attuneTestBroker = broker;
}
