/** A real Chromium for tests; which one, chromium.ts tells. */
import { chromium, type Browser } from 'playwright-core';
import { askBroker } from './brokerClient.ts';
import type { Program } from './chromium.ts';

const START_LIMIT_MS = 60_000;

/**
 * Every host name leads to this machine, so that sites and the server have names of their own, as outside.
 * Close it in afterAll.
 */
export async function startBrowser(): Promise<Browser> {
  const { path, env } = await askBroker<Program>('/browser');
  return await chromium.launch({
    executablePath: path,
    env: { ...processEnv(), ...env },
    // Without the sandbox: root may not have it, nor may containers.
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--host-resolver-rules=MAP * 127.0.0.1'],
    timeout: START_LIMIT_MS,
  });
}

/** Without what is meant for Jest alone. */
function processEnv(): Record<string, string> {
  const entries = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[0] !== 'NODE_OPTIONS',
  );
  return Object.fromEntries(entries);
}
