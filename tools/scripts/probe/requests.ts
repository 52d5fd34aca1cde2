/** The requests of a flood, as exact bytes. */
import { randomBytes, randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { newKey, type KeyKind } from '../../../domain/accounts/keyFormats.ts';
import { collectRequest, createBatches } from '../../load/batches.ts';

export type FloodKind =
  /** Random keys in the right format, from one address. */
  | { kind: 'wrong keys'; from: string }
  /** One event each, from this many addresses. */
  | { kind: 'hits'; key: string; addresses: number; seed: number }
  /** Batches of 64 KB: page views with addresses of 2,000 characters. */
  | { kind: 'long addresses'; key: string }
  /** The first chunk of each recording, then the second of each, and so on. */
  | { kind: 'chunks'; key: string; visitors: readonly string[]; addresses: number };

/** Builds the n-th request. */
export type MakeRequest = (n: number) => string | Buffer;

export function createRequests(flood: FloodKind): MakeRequest {
  switch (flood.kind) {
    case 'wrong keys':
      return (n) => wrongKey(KEY_KINDS[n % KEY_KINDS.length] ?? 'project', flood.from);
    case 'hits': {
      const nextBatch = createBatches(flood.key, 1, flood.seed);
      return (n) => collectRequest(nextBatch(), addressOf(n, flood.addresses));
    }
    case 'long addresses':
      return () => collectRequest(longAddresses(flood.key), addressOf(0, 1));
    case 'chunks':
      return createChunks(flood);
  }
}

/** Returns an address from a network that is reserved for documentation, one of `addresses` in rotation. */
export function addressOf(n: number, addresses: number): string {
  const host = n % addresses;
  return `198.51.${100 + Math.floor(host / 250)}.${1 + (host % 250)}`;
}

const KEY_KINDS = ['project', 'site', 'cabinet', 'tag'] as const satisfies readonly KeyKind[];
const PATHS = {
  project: '/content/api/v1/event-types',
  site: '/analytics/api/v1/network',
  cabinet: '/cabinet/api/me',
};

function wrongKey(kind: (typeof KEY_KINDS)[number], from: string): string {
  const key = newKey(kind);
  if (kind === 'tag') return collectRequest(JSON.stringify({ key, events: [] }), from);
  return `GET ${PATHS[kind]} HTTP/1.1\r\nHost: attune\r\nAuthorization: Bearer ${key}\r\nX-Forwarded-For: ${from}\r\n\r\n`;
}

const LONG_EVENTS = 30;
const LONG_ADDRESS = 2_000;

function longAddresses(key: string): string {
  const at = new Date().toISOString();
  const event = () => ({
    id: randomUUID(),
    at,
    type: 'pageview',
    url: `https://shop.example.com/${randomUUID().repeat(60)}`.slice(0, LONG_ADDRESS),
  });
  return JSON.stringify({
    key,
    visitor_id: randomUUID(),
    sent_at: at,
    events: Array.from({ length: LONG_EVENTS }, event),
  });
}

const INCOMPRESSIBLE_BYTES = 128 * 1024;
/** Duration that a chunk claims to cover. */
const CHUNK_MS = 6_000;

/** Returns a compressed chunk of about {@link INCOMPRESSIBLE_BYTES}; all are the same except for their numbers. */
function makeEvents(): Buffer {
  const href = randomBytes(INCOMPRESSIBLE_BYTES).toString('base64');
  return gzipSync(JSON.stringify([{ type: 4, data: { href }, timestamp: 1 }]));
}

function createChunks({ key, visitors, addresses }: Extract<FloodKind, { kind: 'chunks' }>): MakeRequest {
  const events = makeEvents();
  const recordings = visitors.map((visitor) => ({ visitor_id: visitor, recording_id: randomUUID() }));
  return (n) => {
    const now = Date.now();
    const line = `${JSON.stringify({
      key,
      ...recordings[n % recordings.length],
      seq: Math.floor(n / recordings.length),
      sent_at: new Date(now).toISOString(),
      from: now - CHUNK_MS,
      to: now,
      events: 1,
    })}\n`;
    const head = [
      'POST /collect/recordings HTTP/1.1',
      'Host: attune',
      'Content-Type: text/plain',
      `X-Forwarded-For: ${addressOf(n, addresses)}`,
      `Content-Length: ${Buffer.byteLength(line) + events.length}`,
    ];
    return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n${line}`), events]);
  };
}
