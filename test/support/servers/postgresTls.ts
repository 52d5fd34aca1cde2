/** PostgreSQL behind TLS: a proxy that answers the request for encryption, and passes on what it decrypts. */
import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import { TLS_FILES } from './temporalTls.ts';

export interface EncryptedPostgres {
  /** Address of the same database through the proxy. */
  url: URL;
  /** Number of connections on which the client said anything after the handshake. */
  trusted: number;
  close(): Promise<void>;
}

/** @param databaseUrl of a server on loopback without TLS */
export async function encryptPostgres(databaseUrl: string): Promise<EncryptedPostgres> {
  const target = new URL(databaseUrl);
  const certificate = readFileSync(TLS_FILES.server);
  const secureContext = createSecureContext({ cert: certificate, key: certificate });
  const sockets = new Set<Socket>();
  const track = <S extends Socket>(socket: S): S => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
    return socket;
  };
  const server = createServer((plain) => {
    track(plain).once('data', () => {
      // The first eight bytes are the SSLRequest; the answer S means that the server is willing to use TLS.
      plain.write('S');
      const near = track(new TLSSocket(plain, { isServer: true, secureContext }));
      const far = track(connect(Number(target.port), target.hostname));
      near.once('data', () => (proxy.trusted += 1));
      near.pipe(far);
      far.pipe(near);
      near.on('close', () => far.destroy());
      far.on('close', () => near.destroy());
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = new URL(databaseUrl);
  url.host = `localhost:${(server.address() as AddressInfo).port}`;
  const proxy: EncryptedPostgres = {
    url,
    trusted: 0,
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
  return proxy;
}
