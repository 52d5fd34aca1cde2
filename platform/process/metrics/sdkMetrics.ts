/**
 * Metrics of Temporal's SDK. Its native core serves them on an address of its own. They are read from there whenever
 * the metrics of the process are requested, so that one address has everything.
 */
import { createServer, type AddressInfo } from 'node:net';

const LOOPBACK = '127.0.0.1';
/** Another process may take the port between its choice and its use. */
const TRIES = 5;
const READ_MS = 1_000;

let served: string | null = null;

/**
 * Makes the SDK serve its metrics on a free port of the loopback address.
 * @param install installs its runtime, which serves them on the address passed to it
 */
export async function serveSdkMetrics(install: (bindAddress: string) => void): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const bindAddress = `${LOOPBACK}:${await freePort()}`;
    try {
      install(bindAddress);
      served = bindAddress;
      return;
    } catch (error) {
      if (tries === TRIES || !(error instanceof Error) || !/in use/i.test(error.message)) throw error;
    }
  }
}

/** Returns metrics in Prometheus' text format; empty without a runtime, and when it does not answer within a second. */
export async function readSdkMetrics(): Promise<string> {
  if (served === null) return '';
  try {
    const answer = await fetch(`http://${served}/metrics`, { signal: AbortSignal.timeout(READ_MS) });
    return answer.ok ? await answer.text() : '';
  } catch {
    return '';
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, LOOPBACK, () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
