/** A server that serves the tag, records what it sends, and answers as the test says. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { TAG_DIST } from '../../../../tools/scripts/tag/build.ts';
import type { TagEvent } from '../../../../clients/tag/data/event.ts';
import { eventually } from '../../../support/eventually.ts';

export interface Batch {
  key: string;
  visitor_id: string;
  sent_at: string;
  device: Record<string, string>;
  events: TagEvent[];
}

export interface Told {
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
}

export interface Collector {
  /** An origin with its own host name, different from any site's. */
  origin: string;
  batches: Batch[];
  /** Batches as they came; the status of the answer is 0 if the connection was broken. */
  requests: { at: number; headers: IncomingMessage['headers']; body: string; status: number }[];
  /** Chunks of recordings. */
  chunks: Buffer[];
  /** The next answers; 202 when there is none. Null breaks the connection. */
  answers: (Told | null)[];
  /** The state of recording in a 202. */
  recording: 'on' | 'full' | null;
  masksTexts: boolean;
  /** Status of the answers to chunks; only chunks answered with 202 are kept. */
  chunkStatus: number;
  /** Chunks that were not kept. */
  refusedChunks: Buffer[];
  /** Returns the events of a type, or all but pings, of which a page that is open for longer sends more. */
  events(type?: string): TagEvent[];
  /** Waits for an event of the type. */
  event(type: string, count?: number): Promise<TagEvent>;
  reset(): void;
  close(): Promise<void>;
}

export async function startCollector(): Promise<Collector> {
  const server = createServer((request, response) => void answer(collector, request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const collector: Collector = {
    origin: `http://attune.test:${(server.address() as AddressInfo).port}`,
    batches: [],
    requests: [],
    ...nothingRecorded(),
    answers: [],
    events: (type) =>
      collector.batches
        .flatMap(({ events }) => events)
        .filter((event) => (type === undefined ? event.type !== 'ping' : event.type === type)),
    event: async (type, count = 1) =>
      await eventually(() => collector.events(type)[count - 1], `event ${count} of type ${type}`),
    reset: () => void Object.assign(collector, { batches: [], requests: [], ...nothingRecorded(), answers: [] }),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return collector;
}

function nothingRecorded(): Pick<Collector, 'recording' | 'masksTexts' | 'chunks' | 'chunkStatus' | 'refusedChunks'> {
  return { recording: null, masksTexts: false, chunks: [], chunkStatus: 202, refusedChunks: [] };
}

/** Returns recordings whose first chunk has arrived. */
function recordingIds({ chunks }: Collector): string[] {
  const heads = chunks.map(
    (chunk) => JSON.parse(chunk.subarray(0, chunk.indexOf('\n')).toString()) as { recording_id: string; seq: number },
  );
  return heads.filter(({ seq }) => seq === 0).map(({ recording_id: id }) => id);
}

async function answer(collector: Collector, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await readAll(request);
  const path = request.url?.split('?')[0];
  if (request.method === 'GET') {
    response.setHeader('Content-Type', 'text/javascript');
    response.end(await readFile(join(TAG_DIST, String(path).slice(1))));
  } else if (path === '/collect/recordings') {
    const isKept = collector.chunkStatus === 202;
    (isKept ? collector.chunks : collector.refusedChunks).push(body);
    response.writeHead(collector.chunkStatus).end('{}');
  } else {
    collect(collector, request, response, body.toString());
  }
}

function collect(collector: Collector, request: IncomingMessage, response: ServerResponse, body: string): void {
  const told = collector.answers.length > 0 ? collector.answers.shift() : { status: 202 };
  collector.requests.push({ at: Date.now(), headers: request.headers, body, status: told?.status ?? 0 });
  if (!told) return void request.socket.destroy();
  const batch = JSON.parse(body) as Batch;
  if (told.status === 202) collector.batches.push(batch);
  const accepted = {
    accepted: batch.events.length,
    dropped: [],
    ...(collector.recording && { recording: collector.recording, recording_ids: recordingIds(collector) }),
    ...(collector.masksTexts && { mask_texts: true }),
  };
  response.writeHead(told.status, {
    'Content-Type': 'application/json',
    'Access-Control-Allow-Origin': String(request.headers.origin),
    'Access-Control-Expose-Headers': 'Retry-After',
    ...told.headers,
  });
  response.end(JSON.stringify(told.body ?? accepted));
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}
