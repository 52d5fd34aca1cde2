/** Temporal's time-skipping server, a Java program, started without the SDK's limit of 5 s. */
import { Connection } from '@temporalio/client';
import { freePort } from '../../../tools/scripts/engines/servers/freePort.ts';
import { startProcess, waitUntilReady } from '../../../tools/scripts/engines/fetch/process.ts';

/** Only ends a hang: Java takes a second on an idle machine, and over ten where other work has the processors. */
const READY_TIMEOUT_MS = 240_000;
/** For one probe; a busy server takes its time to answer, and a probe that gives up too soon never succeeds. */
const PROBE_TIMEOUT_MS = 30_000;

export interface TimeSkippingServer {
  port: number;
  /** Process id, which is also the id of its process group. */
  pid: number;
  /** Resolves when the process has ended. */
  exited: Promise<string>;
  stop(): Promise<void>;
}

/**
 * Starts the server on loopback and waits until it answers.
 * @param path program of {@link resolveTestServer}
 * @throws with its last output when it ends or does not answer
 */
export async function startTimeSkippingServer(path: string): Promise<TimeSkippingServer> {
  const port = await freePort();
  const server = await startProcess({ command: path, args: [String(port)], env: process.env });
  try {
    await waitUntilReady('the time-skipping server', server, () => probe(port), READY_TIMEOUT_MS);
  } catch (error) {
    await server.stop('SIGKILL');
    throw error;
  }
  // It keeps nothing that an orderly end would save.
  return { port, pid: server.pid, exited: server.exited, stop: () => server.stop('SIGKILL') };
}

/** Connecting also asks the server for its capabilities, so it has to answer. */
async function probe(port: number): Promise<void> {
  const connection = await Connection.connect({ address: `127.0.0.1:${port}`, connectTimeout: PROBE_TIMEOUT_MS });
  await connection.close();
}
