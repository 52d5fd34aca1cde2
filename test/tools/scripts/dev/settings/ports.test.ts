import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createServer, type AddressInfo } from 'node:net';
import { findPortFaults } from '../../../../../tools/scripts/dev/settings/ports.ts';
import { connectError } from '../../../../../tools/scripts/dev/settings/reachable.ts';
import { freePort } from '../../../../../tools/scripts/engines/servers/freePort.ts';

describe('findPortFaults', () => {
  const server = createServer();
  let taken = 0;
  let free = 0;

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    taken = (server.address() as AddressInfo).port;
    free = await freePort();
  });

  afterAll(() => new Promise((resolve) => server.close(resolve)));

  it('finds nothing wrong with a free port, and leaves it free', async () => {
    expect(await findPortFaults([{ setting: 'PORT', port: free }])).toEqual([]);
    expect(await connectError('127.0.0.1', free)).toBe('ECONNREFUSED');
  });

  it('names the setting of each port in use, and a port that is free', async () => {
    const faults = await findPortFaults([
      { setting: 'PORT', port: taken },
      { setting: 'TEMPORAL_PORT', port: free },
    ]);
    expect(faults).toHaveLength(1);
    const suggested = Number(
      /^port \d+ is in use by another program: stop that program or set PORT, for example PORT=(\d+)$/.exec(
        faults[0] ?? '',
      )?.[1],
    );
    expect(suggested).not.toBe(taken);
    expect(await findPortFaults([{ setting: 'PORT', port: suggested }])).toEqual([]);
  });

  it('names both settings that use the same port', async () => {
    const faults = await findPortFaults([
      { setting: 'PORT', port: free },
      { setting: 'TEMPORAL_UI_PORT', port: free },
    ]);
    expect(faults).toEqual([`PORT and TEMPORAL_UI_PORT are both ${free}: give each its own port`]);
  });

  it('connectError finds the server that answers', async () => {
    expect(await connectError('127.0.0.1', taken)).toBeNull();
  });
});
