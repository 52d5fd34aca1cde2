import { randomUUID } from 'node:crypto';
import { request, type IncomingMessage } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { fetch } from 'undici';
import { CHUNK_LIMITS, SIMULTANEOUS } from '../../../../api/collect/recordings/recordings.ts';
import { createRecordingAnswers } from '../../../../api/collect/recordings/recordingAnswer.ts';
import { deleteRecording } from '../../../../db/recordings/deleteRecordings.ts';
import { updateSite } from '../../../../db/sites/sites.ts';
import { DEFAULT_QUOTAS } from '../../../../domain/sites/siteQuotas.ts';
import { eventually } from '../../../support/eventually.ts';
import { chunkOf, createRecordingSite, createVisitor, sendChunk } from '../../support/recordings.ts';
import { stageApi } from '../../support/stageApi.ts';

const stage = stageApi();

interface CollectAnswer {
  recording?: string;
  recording_ids?: string[];
  mask_texts?: true;
}

async function askCollect(key: string, visitorId: string): Promise<CollectAnswer> {
  const response = await fetch(`${stage.api.origin}/collect`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ key, visitor_id: visitorId, sent_at: new Date().toISOString(), events: [] }),
  });
  return (await response.json()) as CollectAnswer;
}

describe('the daily quota of recordings', () => {
  async function newDay(recordingsPerDay: number) {
    const site = await createRecordingSite(stage.database.pool);
    await updateSite(stage.database.pool, site.id, { quotas: { recordings_per_day: recordingsPerDay } });
    const visitor = await createVisitor(stage.database.pool, site.id);
    const now = Date.now();
    // Each recording has its own visit, unless a visitor is given.
    const owners = new Map<string, string>();
    const ownerOf = async (id: string): Promise<string> => {
      const owner = owners.get(id) ?? (await createVisitor(stage.database.pool, site.id));
      owners.set(id, owner);
      return owner;
    };
    return {
      site,
      begin: async (id: string = randomUUID(), ms = 6_000, owner?: string) =>
        sendChunk(stage.api, chunkOf(site, owner ?? (await ownerOf(id)), id, { from: now - ms, to: now })),
      goOn: async (id: string) =>
        sendChunk(stage.api, chunkOf(site, await ownerOf(id), id, { seq: 1, from: now, to: now + 6_000 })),
      counted: async () =>
        (
          await stage.database.pool.query(
            'select count(*)::int as n from site_recordings where site_id = $1 and is_counted',
            [site.id],
          )
        ).rows[0].n as number,
      visitor,
      answer: (visitorId = visitor) => askCollect(site.tagKey, visitorId),
    };
  }

  // proves: quotas/recordings
  it('ends new recordings, even simultaneous ones; those that have begun continue', async () => {
    const day = await newDay(3);
    const ids = Array.from({ length: 8 }, () => randomUUID());
    const answers = await Promise.all(ids.map((id) => day.begin(id)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 202, 202, 429, 429, 429, 429, 429]);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.body).toMatchObject({ error: { code: 'rate_limited' } });
    expect(Number(refused?.headers.get('retry-after'))).toBeLessThanOrEqual(86_400);
    for (const [index, id] of ids.entries()) expect((await day.goOn(id)).status).toBe(answers[index]?.status);
    expect(await day.counted()).toBe(3);
  });

  it('is checked before a chunk is unpacked, and malformed chunks do not count', async () => {
    const day = await newDay(1);
    const visitor = await createVisitor(stage.database.pool, day.site.id);
    const sendBroken = () => sendChunk(stage.api, chunkOf(day.site, visitor, randomUUID()), Buffer.from('no gzip'));
    expect((await sendBroken()).status).toBe(422);
    expect((await day.begin()).status).toBe(202);
    expect((await sendBroken()).status).toBe(429);
  });

  // proves: quotas/recordings, decisions-privacy/short-recordings
  it('does not count recordings under 5 s once they have fallen silent', async () => {
    const day = await newDay(2);
    const short = randomUUID();
    expect((await day.begin(short, 4_999)).status).toBe(202);
    expect((await day.begin(undefined, 5_000)).status).toBe(202);
    // The short recording may still grow.
    expect((await day.begin()).status).toBe(429);
    await stage.database.pool.query(
      `update site_recordings set last_received_at = now() - interval '2 minutes' where recording_id = $1`,
      [short],
    );
    expect((await day.begin()).status).toBe(202);
    expect(await day.counted()).toBe(2);
  });

  it('does not allow an endless number of short ones', async () => {
    const day = await newDay(1);
    await stage.database.pool.query(
      `insert into site_recordings (site_id, recording_id, visitor_id, day, last_received_at)
       select $1, gen_random_uuid(), gen_random_uuid(), (now() at time zone 'Europe/Moscow')::date, now() - interval '1 hour' from generate_series(1, 9)`,
      [day.site.id],
    );
    expect((await day.begin(undefined, 100)).status).toBe(202);
    await stage.database.pool.query(
      `update site_recordings set last_received_at = now() - interval '2 minutes' where site_id = $1`,
      [day.site.id],
    );
    expect((await day.begin(undefined, 100)).status).toBe(429);
  });

  it('counts a recording of many chunks once, whatever times they claim', async () => {
    const day = await newDay(1);
    const [id, visitor, now] = [randomUUID(), await createVisitor(stage.database.pool, day.site.id), Date.now()];
    const counts: number[] = [];
    for (let seq = 0; seq < 11; seq += 1) {
      expect((await sendChunk(stage.api, chunkOf(day.site, visitor, id, { seq, from: now, to: now }))).status).toBe(
        202,
      );
      counts.push(await day.counted());
    }
    expect(counts).toEqual([...Array.from({ length: 10 }, () => 0), 1]);
  });

  it('counts a visit once, in however many tabs it is recorded, and again if a recording begins half an hour later', async () => {
    const day = await newDay(1);
    for (let tab = 0; tab < 5; tab += 1) expect((await day.begin(undefined, 6_000, day.visitor)).status).toBe(202);
    const { rows } = await stage.database.pool.query(
      'select count(*)::int as tabs, count(distinct visit_group)::int as visits from site_recordings where site_id = $1',
      [day.site.id],
    );
    expect(rows).toEqual([{ tabs: 5, visits: 1 }]);
    expect((await day.begin()).status).toBe(429);
    await stage.database.pool.query(
      `update site_recordings set last_received_at = now() - interval '31 minutes' where site_id = $1`,
      [day.site.id],
    );
    expect((await day.begin(undefined, 6_000, day.visitor)).status).toBe(429);
  });

  // proves: quotas/recordings
  it('is counted per day in Moscow', async () => {
    const day = await newDay(1);
    await day.begin();
    expect((await day.begin()).status).toBe(429);
    await stage.database.pool.query('update site_recordings set day = day - 1 where site_id = $1', [day.site.id]);
    expect((await day.begin()).status).toBe(202);
    const { rows } = await stage.database.pool.query(
      `select distinct day::text from site_recordings where site_id = $1 order by day desc limit 1`,
      [day.site.id],
    );
    const moscow = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Moscow' }).format(new Date());
    // Midnight may pass during the test.
    expect(Math.abs(Date.parse(rows[0].day) - Date.parse(moscow))).toBeLessThanOrEqual(86_400_000);
  });

  it('is not given back by a deletion', async () => {
    const day = await newDay(1);
    const id = randomUUID();
    await day.begin(id);
    await deleteRecording(stage.database.pool, day.site.id, id);
    expect((await day.begin()).status).toBe(429);
  });

  // proves: collect/recording
  it('appears in the answers of /collect: on, full, or absent for a site that does not record', async () => {
    const [open, full, silent] = [await newDay(1), await newDay(1), await newDay(1)];
    await full.begin();
    await updateSite(stage.database.pool, silent.site.id, { recordings: false });
    const words = await Promise.all([open, full, silent].map(async (day) => (await day.answer()).recording));
    expect(words).toEqual(['on', 'full', undefined]);
  });

  // proves: decisions-privacy/mask-texts
  it('is reported by /collect together with the setting that masks all texts', async () => {
    const [shown, masked] = [await newDay(1), await newDay(1)];
    await updateSite(stage.database.pool, masked.site.id, { maskTexts: true });
    expect(await masked.answer()).toMatchObject({ recording: 'on', mask_texts: true });
    expect(await shown.answer()).not.toHaveProperty('mask_texts');
  });

  it('is checked again after a few seconds, and counts as free if that fails', async () => {
    const day = await newDay(1);
    const settings = {
      siteId: day.site.id,
      recordings: true,
      maskTexts: false,
      quotas: { ...DEFAULT_QUOTAS, recordings_per_day: 1 },
    };
    let now = 1;
    const readAnswer = createRecordingAnswers(stage.database.pool, () => now);
    const answerOf = async () => (await readAnswer(settings, day.visitor))?.recording;
    expect(await answerOf()).toBe('on');
    await day.begin();
    expect(await answerOf()).toBe('on');
    now += 5_001;
    expect(await answerOf()).toBe('full');
    const away = createRecordingAnswers({ query: () => Promise.reject(new Error('away')) } as never);
    expect(await away(settings, day.visitor)).toEqual({ recording: 'on' });
  });
});

describe("what /collect says about a visitor's recordings", () => {
  it('lists those whose beginning has arrived, but not those of other visitors, removed ones or those long over', async () => {
    const site = await createRecordingSite(stage.database.pool);
    const [visitor, other] = [
      await createVisitor(stage.database.pool, site.id),
      await createVisitor(stage.database.pool, site.id),
    ];
    const [whole, headless, removed, over, foreign] = Array.from({ length: 5 }, () => randomUUID()) as [
      string,
      string,
      string,
      string,
      string,
    ];
    for (const id of [whole, removed, over]) await sendChunk(stage.api, chunkOf(site, visitor, id));
    await sendChunk(stage.api, chunkOf(site, visitor, headless, { seq: 1 }));
    await sendChunk(stage.api, chunkOf(site, other, foreign));
    await deleteRecording(stage.database.pool, site.id, removed);
    await stage.database.pool.query(
      `update site_recordings set last_received_at = now() - interval '2 hours' where recording_id = $1`,
      [over],
    );
    const idsOf = async (visitorId: string) => (await askCollect(site.tagKey, visitorId)).recording_ids;
    expect(
      await Promise.all([idsOf(visitor), idsOf(visitor.toUpperCase()), idsOf(other), idsOf(randomUUID())]),
    ).toEqual([[whole], [whole], [foreign], []]);
    await sendChunk(stage.api, chunkOf(site, visitor, headless));
    expect((await idsOf(visitor))?.toSorted()).toEqual([whole, headless].toSorted());
  });
});

describe('chunks that are being handled', () => {
  it('from one address take at most half of the slots; more of them get 503 with Retry-After', async () => {
    const site = await createRecordingSite(stage.database.pool);
    const send = async () =>
      sendChunk(stage.api, chunkOf(site, await createVisitor(stage.database.pool, site.id), randomUUID()));
    const refused: IncomingMessage[] = [];
    const sent = SIMULTANEOUS + 1;
    const open = Array.from({ length: sent }, () =>
      request(`${stage.api.origin}/collect/recordings`, {
        method: 'POST',
        headers: { 'content-type': 'text/plain', 'content-length': '1000' },
      }),
    );
    for (const slow of open)
      slow
        .on('error', () => {})
        .on('response', (response: IncomingMessage) => refused.push(response))
        .write('{"key":');
    await eventually(() => refused.length >= sent - SIMULTANEOUS / 2, 'the answers to those beyond half of the slots');
    expect(refused.map(({ statusCode, headers }) => [statusCode, Number(headers['retry-after'])])).toEqual(
      Array.from({ length: sent - SIMULTANEOUS / 2 }, () => [503, expect.any(Number)]),
    );
    for (const slow of open) slow.destroy();
    await eventually(async () => (await send()).status === 202, 'a free slot after they are gone');
  });

  it('may hold a slot only a little longer than the largest one needs on the worst mobile network', () => {
    const needed = ((CHUNK_LIMITS.maxBytes * 8) / 64_000) * 1_000;
    expect(CHUNK_LIMITS.totalMs).toBeGreaterThan(needed);
    expect(CHUNK_LIMITS.totalMs).toBeLessThan(1.2 * needed);
  });
});
