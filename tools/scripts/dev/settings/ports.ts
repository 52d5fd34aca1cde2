/** Checks ports before anything starts, so that a conflict is one clear line instead of a server's last output. */
import { createServer, type Server } from 'node:net';

export interface WantedPort {
  /** The setting that changes it. */
  setting: string;
  port: number;
}

const LOOPBACK = '127.0.0.1';
const SEARCH = 200;

/** Returns one line for each port that is requested twice or unavailable, with a free one to use instead. */
export async function findPortFaults(wanted: readonly WantedPort[]): Promise<string[]> {
  const faults: string[] = [];
  const owners = new Map<number, string>();
  for (const { setting, port } of wanted) {
    const owner = owners.get(port);
    owners.set(port, owner ?? setting);
    if (owner !== undefined) faults.push(`${owner} and ${setting} are both ${port}: give each its own port`);
    else faults.push(...(await tryPort(setting, port, owners)));
  }
  return faults;
}

async function tryPort(setting: string, port: number, taken: ReadonlyMap<number, string>): Promise<string[]> {
  const code = await bindError(port);
  if (code === null) return [];
  const reason = code === 'EADDRINUSE' ? 'is in use by another program' : `cannot be opened (${code})`;
  return [
    `port ${port} ${reason}: stop that program or set ${setting}, for example ${setting}=${await suggest(port, taken)}`,
  ];
}

/** Returns the error code of binding the port on loopback; null when it is free. */
async function bindError(port: number): Promise<string | null> {
  const server = createServer();
  try {
    await listen(server, port);
    return null;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host: LOOPBACK, exclusive: true }, resolve);
  });
}

async function suggest(port: number, taken: ReadonlyMap<number, string>): Promise<number> {
  const first = Math.max(port + 1, 1025);
  for (let candidate = first; candidate < first + SEARCH && candidate <= 65_535; candidate += 1) {
    if (!taken.has(candidate) && (await bindError(candidate)) === null) return candidate;
  }
  return 0;
}
