/** The samples' HTTPS server on loopback. It also receives the demonstration's webhook and checks its signature. */
import { timingSafeEqual } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { coreSignature } from '../../../../domain/webhooks/signature.ts';
import { makeServerCertificate } from './certificate.ts';

/** A separate loopback address, so that outgoing requests to 127.0.0.1 can stay forbidden. */
const OWN_ADDRESS = '127.83.17.1';
const PLAIN_LOOPBACK = '127.0.0.1';
const MAX_BODY_BYTES = 1024 * 1024;
/** Maximum age of a request, as in the API's document. */
const MAX_AGE_SECONDS = 300;

const MEDIA_TYPES: Record<string, string> = { '.jpg': 'image/jpeg', '.mp3': 'audio/mpeg', '.mp4': 'video/mp4' };

/** A webhook request, verified as the document tells receivers to. */
export interface ReceivedWebhook {
  deliveryId: string;
  event: string;
  itemId: string;
  /** Null when the request is genuine, otherwise the fault. */
  fault: string | null;
}

export interface SampleServer {
  host: string;
  port: number;
  /** Origin of the server, without a trailing slash. */
  url: string;
  /** Certificate of its authority, as PEM. */
  ca: string;
  /** Verifies requests to /webhook with this secret from now on, and passes them on. */
  expectWebhooks(secret: string, onWebhook: (received: ReceivedWebhook) => void): void;
  close(): Promise<void>;
}

/**
 * @param samplesDir the folder whose media are served under /samples/
 * @param usualPort used when it is free, because items of an earlier start refer to it
 */
export async function startSampleServer(samplesDir: string, usualPort = 0): Promise<SampleServer> {
  const { ca, cert, key } = await makeServerCertificate([OWN_ADDRESS, PLAIN_LOOPBACK]);
  let receiver: { secret: string; onWebhook: (received: ReceivedWebhook) => void } | undefined;
  const server = createServer({ cert, key }, (request, response) => {
    answer(request, response).catch(() => finish(response, 500));
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', 'https://samples');
    if (request.method === 'POST' && pathname === '/webhook') return receive(request, response);
    const file = /^\/samples\/([a-z-]+\.[a-z0-9]+)$/.exec(pathname)?.[1];
    const type = MEDIA_TYPES[extname(file ?? '')];
    if (request.method !== 'GET' || file === undefined || type === undefined) return finish(response, 404);
    const bytes = await readFile(join(samplesDir, file)).catch(() => null);
    if (bytes === null) return finish(response, 404);
    send(request, response, bytes, type);
  }

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request);
    if (body === null) return finish(response, 413);
    finish(response, 204);
    if (receiver !== undefined) receiver.onWebhook(judgeWebhook(request.headers, body, receiver.secret));
  }

  const host = await listen(server, usualPort);
  const { port } = server.address() as AddressInfo;
  return {
    host,
    port,
    url: `https://${host}:${port}`,
    ca,
    expectWebhooks: (secret, onWebhook) => (receiver = { secret, onWebhook }),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Supports a single byte range with a start, which players request to seek. */
function send(request: IncomingMessage, response: ServerResponse, bytes: Buffer, type: string): void {
  const headers = { 'Content-Type': type, 'Accept-Ranges': 'bytes' };
  const [, from, to = ''] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
  if (from === undefined)
    return void response.writeHead(200, { ...headers, 'Content-Length': bytes.length }).end(bytes);
  const first = Number(from);
  const last = to === '' ? bytes.length - 1 : Math.min(Number(to), bytes.length - 1);
  if (first > last) return void response.writeHead(416, { 'Content-Range': `bytes */${bytes.length}` }).end();
  const stretch = bytes.subarray(first, last + 1);
  const range = { 'Content-Range': `bytes ${first}-${last}/${bytes.length}`, 'Content-Length': stretch.length };
  response.writeHead(206, { ...headers, ...range }).end(stretch);
}

/** Systems other than Linux have only 127.0.0.1 until others are configured. */
async function listen(server: Server, usualPort: number): Promise<string> {
  for (const host of [OWN_ADDRESS, PLAIN_LOOPBACK])
    for (const port of new Set([usualPort, 0])) if (await canListen(server, host, port)) return host;
  throw new Error('the samples cannot be served: no loopback address can be listened on');
}

function canListen(server: Server, host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const failed = () => resolve(false);
    server.once('error', failed);
    server.listen({ host, port }, () => {
      server.off('error', failed);
      resolve(true);
    });
  });
}

async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function finish(response: ServerResponse, status: number): void {
  if (!response.headersSent) response.writeHead(status).end();
}

/**
 * Verifies as the API's document says: HMAC over the timestamp, a dot and the raw body, compared in constant time; then
 * the age.
 */
export function judgeWebhook(
  headers: IncomingMessage['headers'],
  body: Buffer,
  secret: string,
  nowMs = Date.now(),
): ReceivedWebhook {
  const timestamp = Number(headers['x-core-timestamp']);
  const expected = Buffer.from(coreSignature(secret, timestamp, body.toString('utf8')));
  const given = Buffer.from(String(headers['x-core-signature'] ?? ''));
  const received = {
    deliveryId: String(headers['x-core-delivery'] ?? ''),
    event: String(headers['x-core-event'] ?? ''),
    itemId: itemIdOf(body),
  };
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    return { ...received, fault: 'the signature is wrong' };
  if (Math.abs(nowMs / 1000 - timestamp) > MAX_AGE_SECONDS)
    return { ...received, fault: 'the timestamp is more than 5 minutes from now' };
  return { ...received, fault: null };
}

function itemIdOf(body: Buffer): string {
  try {
    const parsed = JSON.parse(body.toString('utf8')) as { item?: { id?: unknown } };
    return typeof parsed.item?.id === 'string' ? parsed.item.id : '';
  } catch {
    return '';
  }
}
