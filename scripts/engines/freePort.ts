import { createServer, type AddressInfo } from 'node:net';
import { EngineError } from './engineError.ts';

/** Listens on a loopback port for a moment. 0 takes any. @returns the port. */
async function tryPort(port: number): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const taken = (server.address() as AddressInfo).port;
  await new Promise((resolve) => server.close(resolve));
  return taken;
}

/** A loopback port that was free a moment ago. */
export function freePort(): Promise<number> {
  return tryPort(0);
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
