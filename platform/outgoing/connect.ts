/**
 * The guarded agent: an undici Agent whose connections are all resolved, vetted and dialled here. undici does not read
 * a proxy from the environment and does not follow redirects; with a custom connector, Node makes no second name
 * resolution.
 */
import { isIP, type Socket } from 'node:net';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import {
  isForbiddenAddress,
  NO_OWN_ENDPOINTS,
  type AddressRules,
  type AllowList,
  type OwnEndpoints,
} from './forbiddenAddresses.ts';
import { Deadline } from './deadline.ts';
import { dial } from './dial.ts';
import { OutgoingError, toOutgoingError } from './errors.ts';
import { createSystemResolver, type Resolve } from './resolve.ts';
import { vetTarget, type Guard, type Target } from './vet.ts';

export interface GuardedAgentOptions {
  readonly allow: AllowList;
  readonly deny?: AllowList;
  readonly own?: OwnEndpoints;
  /** Limit for name resolution, TCP and TLS of one connection. */
  readonly connectTimeoutMs?: number;
  /** Allows plain http, but only to addresses in `allow`, for development samples. */
  readonly allowHttp?: boolean;
  /** Maximum age of a reused connection, so that a name's change of address is noticed. */
  readonly maxConnectionAgeMs?: number;
  readonly resolve?: Resolve;
  /** PEM certificates trusted in addition to the system's, which include `NODE_EXTRA_CA_CERTS`. */
  readonly extraCa?: readonly string[];
}

export interface GuardedAgent {
  readonly dispatcher: Dispatcher;
  /** The same, but with a new connection for each request. */
  readonly unpooled: Dispatcher;
  readonly rules: AddressRules;
  readonly allowHttp: boolean;
  /**
   * Returns when the connection that failed with this error was opened (performance.now); undefined for other errors.
   */
  openedAt(error: unknown): number | undefined;
  /** Waits for requests in progress, then closes every connection. */
  close(): Promise<void>;
  /** Aborts requests and connection attempts in progress. */
  destroy(): Promise<void>;
}

/** Limit for the whole of a connection attempt: resolution, TCP and TLS. */
const CONNECT_TIMEOUT_MS = 10_000;
/** Time to keep an idle connection, unless the server names another one. */
const KEEP_ALIVE_MS = 4_000;
/** Maximum time to keep an idle connection, whatever the server names. */
const KEEP_ALIVE_MAX_MS = 10_000;
const CONNECTION_AGE_MS = 30_000;

/** Creates an agent, which holds the pooled connections; there is one per purpose (webhooks, media). */
export function createGuardedAgent(options: GuardedAgentOptions): GuardedAgent {
  const rules: AddressRules = {
    allow: options.allow,
    own: options.own ?? NO_OWN_ENDPOINTS,
    ...(options.deny && { deny: options.deny }),
  };
  const allowHttp = options.allowHttp ?? false;
  const guard: Guard = { rules, allowHttp, resolve: options.resolve ?? createSystemResolver() };
  const openTimes = new WeakMap<object, number>();
  const secure = createTlsConnector(options.extraCa ?? []);
  const stop = new AbortController(); // undici drops a connection attempt only once it has ended
  const open = (target: Target) =>
    openConnection(
      target,
      guard,
      secure,
      new Deadline({ totalMs: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS }, stop.signal),
    );
  const connect: buildConnector.connector = ({ protocol, hostname, port }, done) => {
    const target = { protocol, hostname, port: port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port) };
    open(target).then(
      (socket) => done(null, recordOpenTime(socket, openTimes)),
      (error: Error) => done(error, null),
    );
  };
  const dispatcher = new Agent({
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MAX_MS,
    clientTtl: options.maxConnectionAgeMs ?? CONNECTION_AGE_MS,
    connect,
  });
  // Without pipelining, undici closes a connection after one request.
  const unpooled = new Agent({ pipelining: 0, connect });
  return {
    dispatcher,
    unpooled,
    rules,
    allowHttp,
    openedAt: (error) => (typeof error === 'object' && error !== null ? openTimes.get(error) : undefined),
    close: async () => {
      await Promise.all([dispatcher.close(), unpooled.close()]).finally(() => stop.abort());
    },
    destroy: async () => {
      stop.abort();
      await Promise.all([dispatcher.destroy(), unpooled.destroy()]);
    },
  };
}

type TlsConnector = (target: Target, transport: Socket) => Promise<Socket>;

/** Resolves, vets, dials and encrypts, then checks the peer once more. Every error is an OutgoingError. */
async function openConnection(target: Target, guard: Guard, secure: TlsConnector, deadline: Deadline): Promise<Socket> {
  try {
    const vetted = await deadline.race(vetTarget(target, guard));
    const transport = await dial(vetted, target.port, deadline.signal);
    destroyOnAbort(transport, deadline.signal);
    assertVettedPeer(transport, vetted, guard.rules);
    if (target.protocol === 'http:') return transport;
    return await deadline.race(secure(target, transport));
  } catch (error) {
    throw deadline.explain(error);
  } finally {
    deadline.end();
  }
}

/**
 * Makes the last check: the peer of the connected socket must be one of the vetted addresses.
 * @throws {OutgoingError} `forbidden_address`; the socket is destroyed
 */
export function assertVettedPeer(socket: Socket, vetted: readonly string[], rules: AddressRules): void {
  const peer = socket.remoteAddress ?? '';
  const known = vetted.some((ip) => sameAddress(ip, peer));
  if (known && !isForbiddenAddress(peer, rules, socket.remotePort)) return;
  socket.destroy();
  throw new OutgoingError('forbidden_address');
}

/** Compares two addresses; `new URL()` gives two spellings of an IPv6 address the same form. */
function sameAddress(a: string, b: string): boolean {
  const canonical = (ip: string) => (isIP(ip) === 6 ? new URL(`http://[${ip}]`).hostname : ip);
  return canonical(a) === canonical(b);
}

/** Creates undici's connector on top of our own socket: certificate and SNI by name, with reuse of TLS sessions. */
function createTlsConnector(extraCa: readonly string[]): TlsConnector {
  const connector = buildConnector({ secureContext: createContext(extraCa), timeout: 0, allowH2: false });
  return (target, transport) =>
    new Promise((resolve, reject) => {
      const name = target.hostname.replace(/\.$/, ''); // neither SNI nor certificates have the trailing dot of the root
      const request = {
        protocol: 'https:',
        hostname: name,
        host: name,
        port: String(target.port),
        httpSocket: transport,
        ...(isIP(name) === 0 ? { servername: name } : {}),
      };
      connector(request, (error, socket) => {
        if (error === null) return resolve(socket);
        transport.destroy();
        reject(toOutgoingError(error, 'tls'));
      });
    });
}

/**
 * The contexts by their additional certificates; they are kept because each new context parses every root certificate
 * again. A process has one entry, for its configured certificates; tests make many connectors. An entry keeps the
 * default certificates of the time when it was made.
 */
const contexts = new Map<string, SecureContext>();

function createContext(extraCa: readonly string[]): SecureContext {
  if (extraCa.length === 0) return createSecureContext();
  const key = extraCa.join('\n');
  const context = contexts.get(key) ?? createSecureContext({ ca: [...getCACertificates('default'), ...extraCa] });
  contexts.set(key, context);
  return context;
}

/**
 * Remembers when the socket was opened. undici passes the socket's own error to the request, so the error identifies
 * the connection.
 */
function recordOpenTime(socket: Socket, openTimes: WeakMap<object, number>): Socket {
  const openedAt = performance.now();
  socket.on('error', (error) => openTimes.set(error, openedAt));
  return socket;
}

function destroyOnAbort(socket: Socket, signal: AbortSignal): void {
  signal.addEventListener('abort', () => socket.destroy(), { once: true });
}
