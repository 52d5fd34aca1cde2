/** Real servers on loopback for the tests of outgoing requests. */
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { NOTHING_ALLOWED, parseAllowNetworks } from '../../../../platform/outgoing/forbiddenAddresses.ts';
import {
  createGuardedAgent,
  type GuardedAgent,
  type GuardedAgentOptions,
} from '../../../../platform/outgoing/connect.ts';
import { OutgoingError } from '../../../../platform/outgoing/errors.ts';
import { freePort } from '../../../../tools/scripts/engines/servers/freePort.ts';

export const LOOPBACK = parseAllowNetworks('127.0.0.0/8, ::1/128');
export const TEST_CA = readFixture('ca.pem');

function readFixture(name: string): string {
  return readFileSync(new URL(`../fixtures/${name}`, import.meta.url), 'utf8');
}

export interface TestServer {
  readonly port: number;
  /** Connections accepted so far. */
  connections: number;
}

const cleanups: (() => Promise<unknown>)[] = [];

/** Closes every server and agent that the test created; for `afterEach`. */
export async function cleanUp(): Promise<void> {
  for (const end of cleanups.splice(0).reverse()) await end();
}

export function atEnd(end: () => Promise<unknown>): void {
  cleanups.push(end);
}

/** Starts an HTTPS server with a certificate for receiver.test, or the given one. */
export function startHttps(
  listener: RequestListener,
  certificate = 'good.pem',
  { host = '127.0.0.1', port = 0 } = {},
): Promise<TestServer> {
  const pem = readFixture(certificate);
  return listen(createHttpsServer({ key: pem, cert: pem }, listener), host, port);
}

export function startHttp(listener: RequestListener): Promise<TestServer> {
  return listen(createHttpServer(listener), '127.0.0.1');
}

/** Starts a TLS server that writes raw bytes, for answers that no HTTP server would give. */
export function startRawTls(onConnection: (socket: Socket) => void): Promise<TestServer> {
  const pem = readFixture('good.pem');
  return listen(createTlsServer({ key: pem, cert: pem }, onConnection), '127.0.0.1');
}

export function startTcp(onConnection: (socket: Socket) => void, host = '127.0.0.1'): Promise<TestServer> {
  return listen(createTcpServer(onConnection), host);
}

/** Finds a port on which nothing listens and which the system does not give to another test meanwhile. */
export const closedPort = freePort;

async function listen(server: Server, host: string, port = 0): Promise<TestServer> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    started.connections += 1;
    sockets.add(socket.on('error', () => undefined).on('close', () => sockets.delete(socket)));
  });
  server.on('tlsClientError', () => undefined);
  server.on('secureConnection', (socket: Socket) => socket.on('error', () => undefined));
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  const started: TestServer = { port: (server.address() as AddressInfo).port, connections: 0 };
  atEnd(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  return started;
}

/** Returns an agent that trusts the test authority and resolves receiver.test to loopback, with overrides. */
export function startAgent(options: Partial<GuardedAgentOptions> = {}): GuardedAgent {
  const agent = createGuardedAgent({ allow: LOOPBACK, resolve: answer('127.0.0.1'), extraCa: [TEST_CA], ...options });
  atEnd(() => agent.destroy());
  return agent;
}

/** Returns the agent as in production, with no additional networks allowed. */
export function startClosedAgent(options: Partial<GuardedAgentOptions> = {}): GuardedAgent {
  return startAgent({ allow: NOTHING_ALLOWED, ...options });
}

/** Returns a resolver that gives the answers in turn, and then the last one repeatedly. */
export function answer(...answers: (string | string[])[]): (name: string) => Promise<string[]> {
  let asked = 0;
  return async () => {
    const current = answers[Math.min(asked, answers.length - 1)] ?? [];
    asked += 1;
    return [current].flat();
  };
}

/** Returns the OutgoingError with which the work ends; any other outcome fails the test. */
export async function failureOf(work: Promise<unknown>): Promise<OutgoingError> {
  const outcome = await work.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if ('error' in outcome && outcome.error instanceof OutgoingError) return outcome.error;
  throw new Error('expected an OutgoingError', { cause: outcome });
}

/** Writes without end, as fast as the other side reads. */
export function pour(response: ServerResponse): void {
  const chunk = Buffer.alloc(16_384);
  while (!response.destroyed && response.write(chunk));
  response.once('drain', () => pour(response));
}
