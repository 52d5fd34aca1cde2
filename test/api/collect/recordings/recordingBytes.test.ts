/** Limits on the bytes that strangers can write to the disk, since the tag's key is public. */
import { randomBytes, randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { createRecordingAnswers } from '../../../../api/collect/recordings/recordingAnswer.ts';
import { deleteOldRecordedBytes } from '../../../../db/recordings/dailyBytes.ts';
import { updateSite } from '../../../../db/sites/sites.ts';
import { chunkOf, createRecordingSite, createVisitor, eventsOf, sendChunk } from '../../support/recordings.ts';
import { stageApi } from '../../support/stageApi.ts';
import { type SiteQuotas, DEFAULT_QUOTAS } from '../../../../domain/sites/siteQuotas.ts';

const stage = stageApi({ env: { TRUSTED_PROXIES: '127.0.0.1', COLLECT_IP_REQUESTS_PER_MINUTE: '1000000' } });
/** About 128 KB of incompressible data. */
const LARGE = gzipSync(eventsOf(randomBytes(96 * 1024).toString('base64')));
const AT_A_TIME = 20;
/**
 * Chunks of each recording. With 128, which reach the size limit of a recording, the outcome is the same but takes
 * most of a minute.
 */
const CHUNKS = 16;

async function newDay(quotas: Partial<SiteQuotas>) {
  const { pool } = stage.database;
  const site = await createRecordingSite(pool);
  await updateSite(pool, site.id, { quotas });
  const visitor = await createVisitor(pool, site.id);
  return {
    site,
    send: async (id: string, seq: number, ip = '198.51.100.7', bytes = LARGE) =>
      (await sendChunk(stage.api, chunkOf(site, visitor, id, { seq }), bytes, { headers: { 'x-forwarded-for': ip } }))
        .status,
    stored: async () =>
      (
        await pool.query<{ n: number }>(
          'select coalesce(sum(bytes), 0)::float8 as n from site_recordings where site_id = $1',
          [site.id],
        )
      ).rows[0]?.n ?? 0,
  };
}

describe('the daily quota of bytes', () => {
  it('ends recordings at the quota of the site, however many recordings and chunks a stranger sends', async () => {
    const day = await newDay({ recording_mb_per_day: 2 });
    const statuses: number[] = [];
    const jobs = Array.from({ length: 100 }, () => randomUUID()).flatMap((id) =>
      Array.from({ length: CHUNKS }, (_, seq) => ({ id, seq })),
    );
    const addressOf = (index: number): string => `198.51.100.${index % 250}`;
    // All recordings begin, then each continues in turn: a chunk beyond the quota costs no more than a lookup.
    jobs.sort((a, b) => a.seq - b.seq);
    const worker = async (first: number): Promise<void> => {
      for (let at = first; at < jobs.length; at += AT_A_TIME) {
        const job = jobs[at];
        if (job) statuses.push(await day.send(job.id, job.seq, addressOf(at), at < 200 ? LARGE : gzipSync(eventsOf())));
      }
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, (_, first) => worker(first)));
    expect(statuses).toHaveLength(100 * CHUNKS);
    const taken = statuses.filter((status) => status === 202).length;
    expect(statuses.filter((status) => status === 429)).toHaveLength(statuses.length - taken);
    expect(taken).toBeGreaterThanOrEqual(16);
    expect(await day.stored()).toBeLessThanOrEqual(2 * 1024 * 1024 + AT_A_TIME * LARGE.length);
  });

  it('ends recordings at the quota of an address, while others continue', async () => {
    const day = await newDay({ recording_mb_per_address: 1 });
    const id = randomUUID();
    const statuses: number[] = [];
    const room = Math.ceil((1024 * 1024) / LARGE.length);
    for (let seq = 0; seq <= room; seq += 1) statuses.push(await day.send(id, seq));
    expect(statuses).toEqual([...Array(room).fill(202), 429]);
    expect(await day.send(id, 100, '198.51.100.8')).toBe(202);
    const { rows } = await stage.database.pool.query(
      'select b::text as row from recording_bytes b where site_id = $1',
      [day.site.id],
    );
    expect(rows).toHaveLength(3);
    expect(JSON.stringify(rows)).not.toContain('198.51');
    await stage.database.pool.query('update recording_bytes set day = day - 2');
    await deleteOldRecordedBytes(stage.database.pool);
    expect(await day.send(id, 101)).toBe(202);
  });

  it('leaves recording out of the answer to the tag once it is used up', async () => {
    const day = await newDay({ recording_mb_per_day: 0 });
    const wordOf = createRecordingAnswers(stage.database.pool);
    const settings = { siteId: day.site.id, recordings: true, maskTexts: true, quotas: DEFAULT_QUOTAS };
    expect(await wordOf(settings, randomUUID())).toMatchObject({ recording: 'on', mask_texts: true });
    const full = { ...settings, quotas: { ...DEFAULT_QUOTAS, recording_mb_per_day: 0 } };
    expect(await createRecordingAnswers(stage.database.pool)(full, randomUUID())).toBeNull();
  });
});
