/** Chunks of session recordings, as the tag sends them. */
import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type pg from 'pg';
import { fetch } from 'undici';
import { updateSite } from '../../../db/sites/sites.ts';
import type { TestApi } from './testApi.ts';
import { createTestSite, type TestSite } from './testSite.ts';

/** Creates a site that records sessions. */
export async function createRecordingSite(pool: pg.Pool): Promise<TestSite> {
  const site = await createTestSite(pool);
  await updateSite(pool, site.id, { recordings: true });
  return site;
}

/** Creates a visitor as /collect does. */
export async function createVisitor(pool: pg.Pool, siteId: string): Promise<string> {
  const visitorId = randomUUID();
  await pool.query('insert into site_visitors (site_id, visitor_id) values ($1, $2)', [siteId, visitorId]);
  return visitorId;
}

export interface ChunkFields {
  key: string;
  visitor_id: string;
  recording_id: string;
  seq: number;
  sent_at: string;
  /** Epoch milliseconds. */
  from: number;
  to: number;
  events: number;
}

/** Returns a chunk of six seconds that ends now, unless overridden. */
export function chunkOf(
  site: Pick<TestSite, 'tagKey'>,
  visitorId: string,
  recordingId: string,
  fields: Partial<ChunkFields> = {},
): ChunkFields {
  const now = Date.now();
  return {
    key: site.tagKey,
    visitor_id: visitorId,
    recording_id: recordingId,
    seq: 0,
    sent_at: new Date(now).toISOString(),
    from: now - 6_000,
    to: now,
    events: 1,
    ...fields,
  };
}

export const eventsOf = (text = 'x'): string => JSON.stringify([{ type: 4, data: { href: text }, timestamp: 1 }]);

export interface ChunkAnswer {
  status: number;
  headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- parsed JSON, which the test itself checks
  body: any;
}

interface SendOptions {
  headers?: Record<string, string>;
  path?: string;
}

/** @param events the compressed part; the default is gzip of one event */
export async function sendChunk(
  { origin }: Pick<TestApi, 'origin'>,
  head: unknown,
  events: Uint8Array = gzipSync(eventsOf()),
  { headers = {}, path = '/collect/recordings' }: SendOptions = {},
): Promise<ChunkAnswer> {
  const line = typeof head === 'string' ? head : `${JSON.stringify(head)}\n`;
  const response = await fetch(origin + path, {
    method: 'POST',
    headers: { 'content-type': 'text/plain', ...headers },
    body: Buffer.concat([Buffer.from(line), events]),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers as unknown as Headers,
    body: text === '' ? null : JSON.parse(text),
  };
}
