import { describe, expect, it } from '@jest/globals';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { connect, type ConnectionOptions } from 'node:tls';
import { makeServerCertificate } from '../../../../../tools/scripts/dev/demo/certificate.ts';

const NOW = new Date('2026-03-01T12:00:00Z');

describe('a server certificate', () => {
  it('is issued by its authority, for its hosts, for servers only', async () => {
    const made = await makeServerCertificate(['127.0.0.1', 'samples.example'], NOW);
    const [ca, cert] = [new X509Certificate(made.ca), new X509Certificate(made.cert)];
    expect(cert.verify(ca.publicKey)).toBe(true);
    expect(cert.checkIssued(ca)).toBe(true);
    expect([ca.ca, cert.ca]).toEqual([true, false]);
    expect(cert.checkIP('127.0.0.1')).toBe('127.0.0.1');
    expect(cert.checkHost('samples.example')).toBe('samples.example');
    expect(cert.checkIP('127.0.0.2')).toBeUndefined();
    expect(cert.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
    expect([cert.validFromDate, cert.validToDate]).toEqual([
      new Date('2026-02-28T12:00:00Z'),
      new Date('2027-03-01T12:00:00Z'),
    ]);
    expect(cert.serialNumber).not.toBe(ca.serialNumber);
  });

  it('works for clients that trust the authority, and for no others', async () => {
    const made = await makeServerCertificate(['127.0.0.1']);
    const other = await makeServerCertificate(['127.0.0.1']);
    const server = createServer({ cert: made.cert, key: made.key }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    try {
      await expect(handshake({ host: '127.0.0.1', port, ca: made.ca })).resolves.toBe(true);
      await expect(handshake({ host: '127.0.0.1', port, ca: other.ca })).rejects.toThrow(/certificate/);
      await expect(handshake({ host: '127.0.0.1', port })).rejects.toThrow(/certificate/);
    } finally {
      server.close();
    }
  });
});

async function handshake(options: ConnectionOptions): Promise<boolean> {
  const socket = connect(options);
  try {
    await once(socket, 'secureConnect');
    return socket.authorized;
  } finally {
    socket.destroy();
  }
}
