import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
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

/**
 * Keeps a free port for this process from others that look for one, by holding the UDP port of its number: nothing
 * that is started here uses it, and the system gives it back when the process ends, however it does.
 * @throws when somebody keeps it already, or listens there
 */
async function keepPort(port: number): Promise<void> {
  const keeper = createSocket('udp4');
  try {
    await new Promise<void>((resolve, reject) => {
      keeper.once('error', reject);
      keeper.bind({ port, address: '127.0.0.1', exclusive: true }, resolve);
    });
    await tryPort(port);
    keeper.unref();
  } catch (error) {
    keeper.close();
    throw error;
  }
}

/** Below the ports that systems give to whoever asks for any (Linux from 32768, others from 49152). */
const FIRST = 10_000;
const END = 32_000;
const TRIES = 100;

/**
 * A loopback port that was free a moment ago and is given to nobody else while this process lives: between the look
 * and the start of a server seconds may pass, in which other stacks start too. It is none that the system gives to
 * others meanwhile: Temporal's own services and every connection that goes out take some of those, and a start now
 * and then met a port just taken.
 */
export const freePort = freePortsFrom(randomInt(FIRST, END));

/** As {@link freePort}, which begins anywhere: the free ports from this one upwards. */
export function freePortsFrom(first: number): () => Promise<number> {
  let next = first;
  return async () => {
    for (let tries = 1; ; tries += 1) {
      const port = next;
      next = port + 1 < END ? port + 1 : FIRST;
      try {
        await keepPort(port);
        return port;
      } catch (error) {
        if (tries >= TRIES) throw error;
      }
    }
  };
}

/**
 * Without this check a server that cannot listen would be taken for ready: another's answers on its port.
 * @throws {EngineError} when something listens there.
 */
export async function requireFreePort(name: string, port: number, setting: string): Promise<void> {
  try {
    await tryPort(port);
  } catch (error) {
    throw new EngineError(
      `${name}: port ${port} cannot be used (${(error as NodeJS.ErrnoException).code}): set ${setting} to a free one`,
      { cause: error },
    );
  }
}
