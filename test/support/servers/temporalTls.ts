/** A guarded proxy to the run's Temporal: TLS, an optional client certificate, and a check of the API key. */
import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { connect, createSecureServer, type IncomingHttpHeaders, type ServerHttp2Session } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

const FIXTURES = join(import.meta.dirname, '../../platform/outgoing/fixtures');

/** Paths of the server's certificate authority, its certificate with its key, and those of a client. */
export const TLS_FILES = {
  ca: join(FIXTURES, 'ca.pem'),
  server: join(FIXTURES, 'good.pem'),
  client: join(FIXTURES, 'client.pem'),
};

export interface GuardedTemporal {
  address: string;
  /** The `authorization` headers of the received calls. */
  authorizations: Set<string | undefined>;
  close(): Promise<void>;
}

export interface GuardOptions {
  /** Refuses clients without a certificate, or with one other than client.pem. */
  wantsClientCertificate?: boolean;
  /** Refuses calls without this key. */
  apiKey?: string;
}

/** gRPC's UNAUTHENTICATED. */
const REFUSAL = { ':status': 200, 'content-type': 'application/grpc', 'grpc-status': '16', 'grpc-message': 'no' };

/** @param target the server's own address, without TLS */
export async function guardTemporal(target: string, options: GuardOptions = {}): Promise<GuardedTemporal> {
  const authorizations = new Set<string | undefined>();
  const certificate = readFileSync(TLS_FILES.server);
  const upstream = connect(`http://${target}`);
  const sessions = new Set<ServerHttp2Session>();
  const server = createSecureServer({
    cert: certificate,
    key: certificate,
    ...(options.wantsClientCertificate && {
      requestCert: true,
      rejectUnauthorized: true,
      ca: readFileSync(TLS_FILES.client),
    }),
  });
  server.on('session', (session) => sessions.add(session.on('close', () => sessions.delete(session))));
  server.on('stream', (stream, headers: IncomingHttpHeaders) => {
    authorizations.add(headers.authorization);
    stream.on('error', () => {});
    if (options.apiKey !== undefined && headers.authorization !== `Bearer ${options.apiKey}`)
      return stream.respond(REFUSAL, { endStream: true });
    const call = upstream.request({ ...headers, ':scheme': 'http', ':authority': target });
    call.on('error', () => stream.close());
    stream.on('close', () => call.close());
    call.on('response', (answer, flags) => {
      const isWhole = (flags & 1) === 1; // END_STREAM: gRPC's answer of headers alone
      stream.respond(answer, { endStream: isWhole, waitForTrailers: !isWhole });
      let trailers = {};
      call.on('trailers', (sent) => {
        trailers = Object.fromEntries(Object.entries(sent).filter(([name]) => !name.startsWith(':')));
      });
      stream.on('wantTrailers', () => stream.sendTrailers(trailers));
      if (!isWhole) call.pipe(stream);
    });
    return stream.pipe(call);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    authorizations,
    async close() {
      upstream.destroy();
      for (const session of sessions) session.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
