import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';
import { EngineError } from '../fetch/engineError.ts';

/** Listens on a loopback port for a moment, to check that it is free. */
async function tryPort(port: number): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  await new Promise((resolve) => server.close(resolve));
}

/**
 * Reserves a free port for this process against others that look for one, by holding the UDP port with its number:
 * nothing that is started here uses it, and the system releases it whenever the process ends.
 * @throws when another process has reserved it, or listens there
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

/** Below the ephemeral ports (from 32768 on Linux, from 49152 elsewhere). */
const FIRST = 10_000;
const END = 32_000;
const TRIES = 100;

/**
 * Returns a loopback port that was free a moment ago and is given to nobody else while this process is alive: seconds
 * may pass between the check and the start of a server, and other stacks start meanwhile. It is never an ephemeral
 * port: Temporal's internal services and outgoing connections use those, and some starts failed because the port had
 * just been taken.
 */
export const freePort = freePortsFrom(randomInt(FIRST, END));

/** Returns a function like {@link freePort} that tries the ports from this one upwards. */
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
 * Checks that a port is free. Without the check, a server that cannot listen would seem ready, because another one
 * answers on its port.
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
