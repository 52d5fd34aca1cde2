/**
 * Measures the path from the inbox to the lake: hits per second and the time from the 202 until a query finds the hit,
 * each with an empty lake and with fifty million stored hits; and the memory with a million open visits.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { collectedKey } from '../../../domain/collect/collectedKey.ts';
import { percentile, type Figure } from '../support/report.ts';
import { fillInbox } from './inboxFill.ts';
import { startIngestStage, type IngestStage } from './ingestProcess.ts';
import { openVisits } from './openVisits.ts';
import { storeHits } from './storedHits.ts';
import type { CollectStage } from './stage.ts';

const STORED_HITS = 50_000_000;
const OPEN_VISITORS = 1_000_000;
/** Number of hits to ingest for each second that a measurement should take. */
const HITS_PER_SECOND = 10_000;
const DELAY_LOAD = { events: 10, connections: 16, pace: 100 };
const PROBE_MS = 100;
const MAX_DELAY_MS = 60_000;
const TARGETS = { rate: '>= 10000', delay: '< 10' };

export async function measureIngest(stage: CollectStage): Promise<Figure[]> {
  const brief = stage.seconds < 10;
  const stored = brief ? STORED_HITS / 100 : STORED_HITS;
  await stage.database.query('truncate collect_inbox');
  const ingest = await startIngestStage(stage);
  try {
    const figures = await measureWithStored(stage, ingest, 'an empty lake');
    await storeHits(ingest.lake, ingest.siteIds, stored);
    figures.push(...(await measureWithStored(stage, ingest, `${stored / 1e6} million stored hits`)));
    const visitors = brief ? OPEN_VISITORS / 100 : OPEN_VISITORS;
    figures.push(...(await measureMemory(stage, ingest, visitors)));
    return figures;
  } finally {
    await ingest.close();
  }
}

async function measureWithStored(stage: CollectStage, ingest: IngestStage, label: string): Promise<Figure[]> {
  return [...(await measureRate(stage, ingest, label)), ...(await measureDelay(stage, ingest, label))];
}

async function measureRate(stage: CollectStage, ingest: IngestStage, label: string): Promise<Figure[]> {
  const hits = stage.seconds * HITS_PER_SECOND;
  const { seconds, ingestTime, postgresTime } = await drainInbox(ingest, () =>
    fillInbox(ingest.pool, ingest.siteIds, hits),
  );
  return [
    {
      name: `hits from the inbox to the lake, beside ${label}`,
      value: hits / seconds,
      unit: 'hits/s',
      aim: TARGETS.rate,
    },
    {
      name: `processor time of a hit, ingest, beside ${label}`,
      value: (ingestTime * 1e6) / hits,
      unit: 'µs',
      aim: null,
    },
    {
      name: `processor time of a hit, PostgreSQL, beside ${label}`,
      value: (postgresTime * 1e6) / hits,
      unit: 'µs',
      aim: null,
    },
  ];
}

/** Fills the inbox while the ingest is frozen, then resumes it until everything is in the lake. */
async function drainInbox(
  ingest: IngestStage,
  fill: () => Promise<void>,
): Promise<{ seconds: number; ingestTime: number; postgresTime: number }> {
  ingest.freeze();
  await fill();
  await ingest.pool.query('analyze');
  const before = await ingest.processorTime();
  const started = performance.now();
  ingest.thaw();
  while (await isBusy(ingest)) await pause(50);
  const seconds = (performance.now() - started) / 1000;
  const after = await ingest.processorTime();
  return { seconds, ingestTime: after.ingest - before.ingest, postgresTime: after.postgres - before.postgres };
}

async function isBusy({ pool }: IngestStage): Promise<boolean> {
  const { rows } = await pool.query<{ busy: boolean }>(
    'select exists (select from collect_inbox) or exists (select from lake_batches) as busy',
  );
  return rows[0]?.busy === true;
}

/**
 * Measures from the response 202 to a query of the lake that finds the hit, while other hits arrive at a thousand per
 * second.
 */
async function measureDelay(stage: CollectStage, ingest: IngestStage, label: string): Promise<Figure[]> {
  const delays: number[] = [];
  const sent = new Map<string, number>();
  let isOver = false;
  const watching = watch(ingest, stage.site.id, sent, delays, () => isOver && sent.size === 0);
  const load = stage.load({ ...DELAY_LOAD, seconds: stage.seconds }).finally(() => (isOver = true));
  while (!isOver) {
    const [key, answeredAt] = await probe(stage);
    sent.set(key, answeredAt);
    await pause(PROBE_MS);
  }
  await load;
  await watching;
  return [50, 99].map((p) => ({
    name: `from 202 to a query that finds the hit, p${p}, beside ${label}`,
    value: percentile(delays, p) / 1000,
    unit: 's',
    aim: p === 99 ? TARGETS.delay : null,
  }));
}

async function probe({ apiPort, site }: CollectStage): Promise<[key: string, answeredAt: number]> {
  const visitorId = randomUUID();
  const at = new Date().toISOString();
  const event = { id: 'probe', at, type: 'pageview', url: 'https://shop.example.com/probe' };
  const response = await fetch(`http://127.0.0.1:${apiPort}/collect`, {
    method: 'POST',
    body: JSON.stringify({ key: site.tagKey, visitor_id: visitorId, sent_at: at, events: [event] }),
  });
  if (response.status !== 202) throw new Error(`a probe was answered with ${response.status}`);
  await response.arrayBuffer();
  return [collectedKey(visitorId, 'probe'), performance.now()];
}

async function watch(
  ingest: IngestStage,
  siteId: string,
  sent: Map<string, number>,
  delays: number[],
  isDone: () => boolean,
): Promise<void> {
  const since = new Date(Date.now() - MAX_DELAY_MS).toISOString().replace('T', ' ').replace('Z', '');
  while (!isDone()) {
    await pause(20);
    const rows = await ingest.lake.query<{ id: string }>(
      `select hit_id::varchar as id from lake.hits where site_id = '${siteId}' and visit_started_at >= timestamp '${since}' and page_path = '/probe'`,
    );
    const now = performance.now();
    for (const { id } of rows) {
      const answeredAt = sent.get(id);
      if (answeredAt !== undefined) delays.push(now - answeredAt);
      sent.delete(id);
    }
    if ([...sent.values()].some((answeredAt) => now - answeredAt > MAX_DELAY_MS))
      throw new Error('a probe did not reach the lake');
  }
}

async function measureMemory(stage: CollectStage, ingest: IngestStage, visitors: number): Promise<Figure[]> {
  await openVisits(ingest.pool, ingest.siteIds, visitors);
  const hits = stage.seconds * HITS_PER_SECOND;
  const { seconds } = await drainInbox(ingest, () => fillInbox(ingest.pool, ingest.siteIds, hits, visitors));
  return [
    {
      name: `hits from the inbox to the lake, of ${visitors / 1e6} million visitors with open visits`,
      value: hits / seconds,
      unit: 'hits/s',
      aim: null,
    },
    {
      name: `peak memory of the ingest, ${visitors / 1e6} million visits open`,
      value: await ingest.peakMemory(),
      unit: 'MB',
      aim: null,
    },
  ];
}
