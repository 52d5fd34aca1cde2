/**
 * The guarded agent: an undici Agent whose every connection is resolved, vetted and dialled here.
 * undici takes no proxy from the environment and follows no redirect on its own; a custom
 * connector leaves Node no second resolution to make.
 */
import { isIP, type Socket } from 'node:net';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { isForbiddenAddress, NOTHING_OWN, type AddressRules, type AllowList, type OwnEndpoints } from './address.ts';
import { Deadline } from './deadline.ts';
import { dial } from './dial.ts';
import { OutgoingError, toOutgoingError } from './errors.ts';
import { createSystemResolver, type Resolve } from './resolve.ts';
import { vetTarget, type Guard, type Target } from './vet.ts';

export interface GuardedAgentOptions {
  readonly allow: AllowList;
  readonly deny?: AllowList;
  readonly own?: OwnEndpoints;
  /** Over name resolution, TCP and TLS of one connection. */
  readonly connectTimeoutMs?: number;
  /** Plain http, and that only to addresses opened by `allow`: development samples. */
  readonly allowHttp?: boolean;
  /** A connection is not used again after this age, so that a name's change of address is noticed. */
  readonly maxConnectionAgeMs?: number;
  readonly resolve?: Resolve;
  /** PEM texts trusted beside the system's own; `NODE_EXTRA_CA_CERTS` is among those already. */
  readonly extraCa?: readonly string[];
}

export interface GuardedAgent {
  readonly dispatcher: Dispatcher;
  /** The same, but each of its requests has a connection of its own. */
  readonly unpooled: Dispatcher;
  readonly rules: AddressRules;
  readonly allowHttp: boolean;
  /** When the connection that ended in this error was opened (performance.now), if it was one. */
  openedAt(error: unknown): number | undefined;
  /** Waits for requests under way, then closes every connection. */
  close(): Promise<void>;
  /** Breaks off requests and connection attempts under way. */
  destroy(): Promise<void>;
}

/** An idle connection is kept this long unless the server names its own time… */
const KEEP_ALIVE_MS = 4_000;
/** …and at most this long whatever the server names. */
const KEEP_ALIVE_MAX_MS = 10_000;
const CONNECTION_AGE_MS = 30_000;

/** One agent per purpose (webhooks, media); it holds the pooled connections. */
export function createGuardedAgent(options: GuardedAgentOptions): GuardedAgent {
  const rules: AddressRules = {
    allow: options.allow,
    own: options.own ?? NOTHING_OWN,
    ...(options.deny && { deny: options.deny }),
  };
  const allowHttp = options.allowHttp ?? false;
  const guard: Guard = { rules, allowHttp, resolve: options.resolve ?? createSystemResolver() };
  const births = new WeakMap<object, number>();
  const secure = createTlsConnector(options.extraCa ?? []);
  const stop = new AbortController(); // undici drops a connection attempt only once it has ended
  const open = (target: Target) =>
    openConnection(target, guard, secure, new Deadline({ totalMs: options.connectTimeoutMs ?? 10_000 }, stop.signal));
  const connect: buildConnector.connector = ({ protocol, hostname, port }, done) => {
    const target = { protocol, hostname, port: port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port) };
    open(target).then(
      (socket) => done(null, rememberBirth(socket, births)),
      (error: Error) => done(error, null),
    );
  };
  const dispatcher = new Agent({
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MAX_MS,
    clientTtl: options.maxConnectionAgeMs ?? CONNECTION_AGE_MS,
    connect,
  });
  // Without pipelining undici closes a connection after its one request.
  const unpooled = new Agent({ pipelining: 0, connect });
  return {
    dispatcher,
    unpooled,
    rules,
    allowHttp,
    openedAt: (error) => (typeof error === 'object' && error !== null ? births.get(error) : undefined),
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

/** Resolve, vet, dial, encrypt, and look again at whom we reached. Every fault is an OutgoingError. */
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
 * The last look: the peer of the connected socket must be one of the vetted addresses.
 * @throws {OutgoingError} `forbidden_address`, with the socket destroyed.
 */
export function assertVettedPeer(socket: Socket, vetted: readonly string[], rules: AddressRules): void {
  const peer = socket.remoteAddress ?? '';
  const known = vetted.some((ip) => sameAddress(ip, peer));
  if (known && !isForbiddenAddress(peer, rules, socket.remotePort)) return;
  socket.destroy();
  throw new OutgoingError('forbidden_address');
}

/** Two spellings of one IPv6 address compare equal once `new URL()` has written both. */
function sameAddress(a: string, b: string): boolean {
  const canonical = (ip: string) => (isIP(ip) === 6 ? new URL(`http://[${ip}]`).hostname : ip);
  return canonical(a) === canonical(b);
}

/** undici's connector over our own socket: certificate and SNI by name, TLS sessions kept for reuse. */
function createTlsConnector(extraCa: readonly string[]): TlsConnector {
  const connector = buildConnector({ secureContext: createContext(extraCa), timeout: 0, allowH2: false });
  return (target, transport) =>
    new Promise((resolve, reject) => {
      const name = target.hostname.replace(/\.$/, ''); // neither SNI nor certificates know the root's dot
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

/** Made once: a context per connection would parse every root certificate anew. */
function createContext(extraCa: readonly string[]): SecureContext {
  if (extraCa.length === 0) return createSecureContext();
  return createSecureContext({ ca: [...getCACertificates('default'), ...extraCa] });
}

/** undici hands the socket's own error to the request, so the error can tell the connection's age. */
function rememberBirth(socket: Socket, births: WeakMap<object, number>): Socket {
  const openedAt = performance.now();
  socket.on('error', (error) => births.set(error, openedAt));
  return socket;
}

function destroyOnAbort(socket: Socket, signal: AbortSignal): void {
  signal.addEventListener('abort', () => socket.destroy(), { once: true });
}
