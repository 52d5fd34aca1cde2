/** Sends batches of traffic to /collect: those of one visitor in sequence, those of many concurrently. */
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import { collectBody, collectHeaders, type TagBatch } from '../../../traffic/index.ts';

const LANES = 8;
/** Batches may be retried: the intake recognises repeats by their event ids. */
const PAUSES_MS = [200, 1_000, 3_000] as const;

export interface CollectSender {
  /** Resolves when all of them have been answered. */
  send(batches: readonly TagBatch[]): Promise<{ accepted: number; dropped: number }>;
  close(): Promise<void>;
}

/** @throws from `send` when a batch is refused, or not accepted after several attempts */
export function createCollectSender({
  url,
  key,
  signal,
}: {
  url: string;
  key: string;
  signal: AbortSignal;
}): CollectSender {
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, { connections: LANES, pipelining: 1 });

  const post = async (batch: TagBatch): Promise<{ accepted: number; dropped: unknown[] }> => {
    for (let attempt = 0; ; attempt++) {
      const { statusCode, body } = await pool.request({
        method: 'POST',
        path: pathname,
        headers: collectHeaders(batch),
        body: collectBody(batch, key, Date.now()),
        signal,
      });
      if (statusCode === 202) return (await body.json()) as { accepted: number; dropped: unknown[] };
      const text = await body.text();
      const pause = PAUSES_MS[attempt];
      if (pause === undefined || statusCode < 429)
        throw new Error(`${url} answered ${statusCode}: ${text.slice(0, 300)}`);
      await delay(pause, undefined, { signal });
    }
  };

  return {
    async send(batches) {
      const total = { accepted: 0, dropped: 0 };
      await Promise.all(
        lanesOf(batches).map(async (lane) => {
          for (const batch of lane) {
            const { accepted, dropped } = await post(batch);
            total.accepted += accepted;
            total.dropped += dropped.length;
          }
        }),
      );
      return total;
    },
    close: () => pool.destroy(),
  };
}

function lanesOf(batches: readonly TagBatch[]): TagBatch[][] {
  const lanes: TagBatch[][] = Array.from({ length: LANES }, () => []);
  for (const batch of batches) lanes[Number.parseInt(batch.visitorId.slice(0, 2), 16) % LANES]?.push(batch);
  return lanes;
}
