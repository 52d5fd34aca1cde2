import { afterEach, describe, expect, it } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { freePort, freePortsFrom } from '../../../../../tools/scripts/engines/servers/freePort.ts';

const FREE_PORT = join(import.meta.dirname, '../../../../../tools/scripts/engines/servers/freePort.ts');

describe('freePort', () => {
  let other: ChildProcess | undefined;

  afterEach(() => void other?.kill('SIGKILL'));

  /**
   * Returns the ports that another process gets when it searches from the same port; it holds them until it ends.
   */
  async function givenToAnother(first: number): Promise<number[]> {
    const script = `
      const { freePortsFrom } = await import(${JSON.stringify(FREE_PORT)});
      const next = freePortsFrom(${first});
      console.log(JSON.stringify([await next(), await next(), await next()]));
      setInterval(() => {}, 1_000);`;
    other = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [text] = (await once(other.stdout ?? other, 'data')) as [Buffer];
    return JSON.parse(String(text)) as number[];
  }

  it('is none of those that the system gives to others, and different each time', async () => {
    const ports = [await freePort(), await freePort(), await freePort()];
    expect(new Set(ports).size).toBe(3);
    for (const port of ports) expect(port).toBeLessThan(32_000);
  });

  it('is not given to two processes, even if nobody listens there yet, and is free again when the process has ended', async () => {
    const first = (await freePort()) + 1;
    const theirs = await givenToAnother(first);
    const next = freePortsFrom(first);
    expect(new Set([...theirs, await next(), await next(), await next()]).size).toBe(6);
    other?.kill('SIGKILL');
    await once(other ?? process, 'exit');
    expect(await freePortsFrom(first)()).toBe(theirs[0]);
  });

  it('is never one where a server listens', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    expect(await freePortsFrom(port)()).not.toBe(port);
    server.close();
  });

  it('can be used by whoever got it', async () => {
    const server = createServer().listen(await freePort(), '127.0.0.1');
    await once(server, 'listening');
    expect(server.listening).toBe(true);
    server.close();
  });
});
