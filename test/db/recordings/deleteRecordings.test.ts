import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { removeExpired } from '../../../loops/relay/removeExpired.ts';
import { beginRecording, findChunkState, insertChunk } from '../../../db/recordings/recordingIntake.ts';
import { markRecording } from '../../../db/recordings/favourites.ts';
import {
  deleteRecording,
  deleteVisitorRecordings,
  deleteExpiredRecordings,
} from '../../../db/recordings/deleteRecordings.ts';
import { inTransaction } from '../../../db/pool.ts';
import { updateSite } from '../../../db/sites/sites.ts';
import { DEFAULT_QUOTAS } from '../../../domain/sites/siteQuotas.ts';
import { createLogger } from '../../../platform/process/logger.ts';
import { createRecordingSite, createVisitor } from '../../api/support/recordings.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { untilWaiting } from '../../support/lockWaits.ts';

let database: TestDatabase;
let siteId: string;
let visitorId: string;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(async () => {
  await database?.drop();
});

beforeEach(async () => {
  siteId = (await createRecordingSite(database.pool)).id;
  visitorId = await createVisitor(database.pool, siteId);
});

const chunkOf = (recordingId: string, seq = 0) => ({
  siteId,
  recordingId,
  visitorId,
  seq,
  startedAt: new Date(0),
  endedAt: new Date(6_000),
  events: 1,
  bytes: 10,
  sender: 's',
  blobKey: `recordings/${siteId}/${recordingId}/${seq}-x`,
  marks: null,
});

/** @param days age in days */
async function newRecording(days = 0, owner = visitorId): Promise<string> {
  const recordingId = randomUUID();
  expect(
    await beginRecording(database.pool, { siteId, recordingId, visitorId: owner, userAgent: 'x' }, DEFAULT_QUOTAS),
  ).toBeNull();
  await insertChunk(database.pool, { ...chunkOf(recordingId), visitorId: owner });
  await database.pool.query(
    `update site_recordings set created_at = now() - make_interval(days => $2) where recording_id = $1`,
    [recordingId, days],
  );
  return recordingId;
}

async function live(): Promise<string[]> {
  const { rows } = await database.pool.query<{ id: string }>(
    'select recording_id as id from site_recordings where site_id = $1 and deleted_at is null',
    [siteId],
  );
  return rows.map(({ id }) => id).toSorted();
}

const removeAll = async (): Promise<void> => {
  while ((await deleteExpiredRecordings(database.pool, 2)) === 2);
};

describe('the retention of a recording', () => {
  // proves: quotas/recordings-retention
  it('is 15 days, or 90 for a favourite', async () => {
    const [kept, expired, favourite, old] = [
      await newRecording(14),
      await newRecording(15),
      await newRecording(89),
      await newRecording(90),
    ];
    for (const id of [favourite, old]) await markRecording(database.pool, siteId, id, true);
    await removeAll();
    expect(await live()).toEqual([kept, favourite].toSorted());
    expect(await findChunkState(database.pool, chunkOf(expired))).toBe('gone');
  });

  // proves: quotas/recordings-retention
  it("follows the site's current quota", async () => {
    const [one, other] = [await newRecording(2), await newRecording(40)];
    await updateSite(database.pool, siteId, { quotas: { recording_days: 41 } });
    await removeAll();
    expect(await live()).toEqual([one, other].toSorted());
    await updateSite(database.pool, siteId, { quotas: { recording_days: 2 } });
    await removeAll();
    expect(await live()).toEqual([]);
  });

  it('ends for many recordings at a time, even while several processes remove them', async () => {
    for (let count = 0; count < 7; count += 1) await newRecording(20);
    await Promise.all([removeAll(), removeAll(), removeAll()]);
    await removeAll();
    expect(await live()).toEqual([]);
  });
});

describe('a removal', () => {
  it('leaves no data of the visitor, and schedules the folder for removal', async () => {
    const id = await newRecording();
    expect(await deleteRecording(database.pool, siteId, id)).toBe(true);
    const { rows } = await database.pool.query(
      'select visitor_id, user_agent, is_favourite from site_recordings where recording_id = $1',
      [id],
    );
    expect(rows).toEqual([{ visitor_id: null, user_agent: null, is_favourite: false }]);
    expect(
      (await database.pool.query('select from site_recording_chunks where recording_id = $1', [id])).rowCount,
    ).toBe(0);
    const garbage = await database.pool.query(
      `select after > now() + interval '5 minutes' as later from blob_garbage where project_id = $1 and folder = $2`,
      [siteId, `recordings/${siteId}/${id}`],
    );
    expect(garbage.rows).toEqual([{ later: true }]);
  });

  it('removes the blobs through the relay', async () => {
    const id = await newRecording();
    await deleteRecording(database.pool, siteId, id);
    await database.pool.query('update blob_garbage set after = now() where project_id = $1', [siteId]);
    const removed: string[] = [];
    await removeExpired({
      pool: database.pool,
      logger: createLogger('test', 'silent'),
      rememberCollectedHours: 24,
      auditDays: 365,
      blobs: { removeFolder: (folder) => Promise.resolve(void removed.push(folder)) },
    });
    expect(removed).toContain(`recordings/${siteId}/${id}`);
  });

  it('is not undone by a chunk that arrives late, and is forgotten after a day', async () => {
    const id = await newRecording();
    await deleteRecording(database.pool, siteId, id);
    expect(await findChunkState(database.pool, chunkOf(id, 1))).toBe('gone');
    expect(await insertChunk(database.pool, chunkOf(id, 1))).toBe(false);
    expect(
      await beginRecording(database.pool, { siteId, recordingId: id, visitorId, userAgent: '' }, DEFAULT_QUOTAS),
    ).toBeNull();
    expect(await live()).toEqual([]);
    await removeAll();
    expect(await findChunkState(database.pool, chunkOf(id, 1))).toBe('gone');
    await database.pool.query(
      `update site_recordings set deleted_at = now() - interval '25 hours' where recording_id = $1`,
      [id],
    );
    await removeAll();
    expect(await findChunkState(database.pool, chunkOf(id, 1))).toBe('new');
  });
});

describe('a visitor who is deleted', () => {
  it("takes their recordings along, and nobody else's", async () => {
    const other = await createVisitor(database.pool, siteId);
    const [mine, also, theirs] = [await newRecording(), await newRecording(), await newRecording(0, other)];
    const removed = await inTransaction(database.pool, async (client) => {
      await client.query('delete from site_visitors where site_id = $1 and visitor_id = $2', [siteId, visitorId]);
      return deleteVisitorRecordings(client, siteId, visitorId);
    });
    expect(removed).toBe(2);
    expect(await live()).toEqual([theirs]);
    for (const id of [mine, also]) expect(await findChunkState(database.pool, chunkOf(id, 1))).toBe('gone');
    expect(
      await beginRecording(
        database.pool,
        { siteId, recordingId: randomUUID(), visitorId, userAgent: '' },
        DEFAULT_QUOTAS,
      ),
    ).toBe('unknown_visitor');
  });

  it('has no recordings that began in the meantime', async () => {
    const recordingId = randomUUID();
    const beginning = await inTransaction(database.pool, async (client) => {
      await client.query('delete from site_visitors where site_id = $1 and visitor_id = $2', [siteId, visitorId]);
      const waiting = beginRecording(database.pool, { siteId, recordingId, visitorId, userAgent: '' }, DEFAULT_QUOTAS);
      await untilWaiting(database.pool, 1);
      await deleteVisitorRecordings(client, siteId, visitorId);
      return { waiting };
    });
    expect(await beginning.waiting).toBe('unknown_visitor');
    expect(await live()).toEqual([]);
  });
});
