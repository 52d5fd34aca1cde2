import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { EngineError } from './engineError.ts';

/** Listens on a loopback port for a moment. */
async function tryPort(port: number): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  await new Promise((resolve) => server.close(resolve));
}

/** Below the ports that systems give to whoever asks for any (Linux from 32768, others from 49152). */
const FIRST = 10_000;
const END = 32_000;
const TRIES = 100;
/** From anywhere upwards: what this process has given away and nobody has taken yet is not given away again. */
let next = randomInt(FIRST, END);

/**
 * A loopback port that was free a moment ago. It is none that the system gives to others meanwhile: Temporal's own
 * services and every connection that goes out take some of those, and a start now and then met a port just taken.
 */
export async function freePort(): Promise<number> {
  for (let tries = 1; ; tries += 1) {
    const port = next;
    next = port + 1 < END ? port + 1 : FIRST;
    try {
      await tryPort(port);
      return port;
    } catch (error) {
      if (tries >= TRIES) throw error;
    }
  }
}

/**
 * Without this check a server that cannot listen would be taken for ready: another's answers on its port.
 * @throws {EngineError} when something listens there.
 */
export async function requireFreePort(name: string, port: number, setting: string): Promise<void> {
  try {
    await tryPort(port);
  } catch (error) {
    throw new EngineError(`${name}: port ${port} cannot be used (${(error as NodeJS.ErrnoException).code}): set ${setting} to a free one`, { cause: error });
  }
}
