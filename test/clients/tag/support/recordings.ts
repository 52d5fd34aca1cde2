/** Recordings as the server receives them, read chunk by chunk. */
import { gunzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { inPage, type Stage } from './stage.ts';

export interface Chunk {
  head: {
    key: string;
    visitor_id: string;
    recording_id: string;
    seq: number;
    sent_at: string;
    from: number;
    to: number;
    events: number;
  };
  events: { type: number; timestamp: number; data: Record<string, unknown> }[];
  bytes: number;
}

export function readChunk(body: Buffer): Chunk {
  const line = body.indexOf('\n');
  const compressed = body.subarray(line + 1);
  return {
    head: JSON.parse(body.subarray(0, line).toString()),
    events: JSON.parse(gunzipSync(compressed).toString()),
    bytes: compressed.length,
  };
}

/** Returns the chunks that have arrived, in their order. */
export const chunksOf = (stage: Stage): Chunk[] =>
  stage.collector.chunks.map(readChunk).sort((a, b) => a.head.seq - b.head.seq);

/** Returns all events that have arrived, as JSON. */
export const textOf = (stage: Stage): string => JSON.stringify(chunksOf(stage).map(({ events }) => events));

export async function isRecording(page: Page): Promise<boolean> {
  return (await inPage(page, "sessionStorage.getItem('_svc_r') !== null")) === true;
}
