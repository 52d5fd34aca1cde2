import { randomBytes, randomUUID } from 'node:crypto';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import { fetch } from 'undici';
import {
  CHUNK_MAX_BYTES,
  CHUNK_MAX_TEXT_BYTES,
  RECORDING_MAX_BYTES,
  RECORDING_MAX_CHUNKS,
} from '../../../../domain/recordings/recordingLimits.ts';
import { deleteRecording } from '../../../../db/recordings/deleteRecordings.ts';
import { updateSite } from '../../../../db/sites/sites.ts';
import { eventually } from '../../../support/eventually.ts';
import {
  chunkOf,
  createRecordingSite,
  createVisitor,
  eventsOf,
  sendChunk,
  type ChunkFields,
} from '../../support/recordings.ts';
import { stageApi } from '../../support/stageApi.ts';
import { createTestSite, type TestSite } from '../../support/testSite.ts';

const stage = stageApi();

interface Recorded {
  site: TestSite;
  visitor: string;
  recording: string;
  chunk(fields?: Partial<ChunkFields>): ChunkFields;
}

async function newRecording(): Promise<Recorded> {
  const site = await createRecordingSite(stage.database.pool);
  const [visitor, recording] = [await createVisitor(stage.database.pool, site.id), randomUUID()];
  return { site, visitor, recording, chunk: (fields) => chunkOf(site, visitor, recording, fields) };
}

async function rowOf({ site, recording }: Recorded) {
  const { rows } = await stage.database.pool.query(
    'select * from site_recordings where site_id = $1 and recording_id = $2',
    [site.id, recording],
  );
  return rows[0];
}

async function chunksOf({ site, recording }: Recorded) {
  const { rows } = await stage.database.pool.query(
    'select * from site_recording_chunks where site_id = $1 and recording_id = $2 order by seq',
    [site.id, recording],
  );
  return rows;
}

async function bytesOf(key: string): Promise<Buffer> {
  const blob = await stage.api.blobs.open(key);
  if (!blob) throw new Error(`no blob ${key}`);
  return buffer(blob.stream);
}

describe('a chunk', () => {
  it('is stored as it arrived, and counted in its recording', async () => {
    const recorded = await newRecording();
    const { chunk, site, recording, visitor } = recorded;
    const [first, second] = [gzipSync(eventsOf('one')), gzipSync(eventsOf('two'))];
    expect(
      await sendChunk(stage.api, chunk({ events: 3 }), first, { headers: { 'user-agent': 'Test/1.0' } }),
    ).toMatchObject({ status: 202, body: {} });
    expect(
      await sendChunk(
        stage.api,
        chunk({ seq: 1, events: 4, visitor_id: visitor.toUpperCase(), recording_id: recording.toUpperCase() }),
        second,
      ),
    ).toMatchObject({ status: 202 });
    const chunks = await chunksOf(recorded);
    expect(chunks.map(({ seq, events, bytes }) => [seq, events, bytes])).toEqual([
      [0, 3, first.length],
      [1, 4, second.length],
    ]);
    expect(chunks[0].blob_key).toMatch(new RegExp(`^recordings/${site.id}/${recording}/0-[0-9a-f]{16}$`));
    expect(
      await Promise.all(chunks.map(async ({ blob_key: key }) => gunzipSync(await bytesOf(key)).toString())),
    ).toEqual([eventsOf('one'), eventsOf('two')]);
    expect(await rowOf(recorded)).toMatchObject({
      visitor_id: visitor,
      chunks: 2,
      events: '7',
      bytes: String(first.length + second.length),
      user_agent: 'Test/1.0',
      is_counted: true,
    });
  });

  it('counts once, even if it is sent several times at once and whatever it contains', async () => {
    const recorded = await newRecording();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        sendChunk(stage.api, recorded.chunk(), gzipSync(eventsOf(String(index % 2)))),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 202));
    const [stored, ...others] = await chunksOf(recorded);
    expect(others).toEqual([]);
    expect(await rowOf(recorded)).toMatchObject({ chunks: 1, events: '1', bytes: String(stored.bytes) });
    // The row refers to exactly the bytes that it counts.
    expect((await bytesOf(stored.blob_key)).length).toBe(stored.bytes);
    expect((await sendChunk(stage.api, recorded.chunk(), gzipSync(eventsOf('later')))).status).toBe(202);
    expect(await chunksOf(recorded)).toEqual([stored]);
  });

  it('may arrive in any order, and the recording spans them all', async () => {
    const recorded = await newRecording();
    const now = Date.now();
    for (const seq of [2, 0, 1])
      await sendChunk(
        stage.api,
        recorded.chunk({ seq, from: now - 90_000 + seq * 30_000, to: now - 89_000 + seq * 30_000 }),
      );
    const { started_at: start, ended_at: end, is_counted: isCounted } = await rowOf(recorded);
    // The network delay of each chunk appears as an error of its clock.
    expect(Math.abs(Number(end) - Number(start) - 61_000)).toBeLessThan(15_000);
    // No single chunk is long enough.
    expect(isCounted).toBe(true);
  });

  it("is corrected for the error of the device's clock, and is never in the future", async () => {
    const recorded = await newRecording();
    const ahead = Date.now() + 3_600_000;
    await sendChunk(
      stage.api,
      recorded.chunk({ sent_at: new Date(ahead).toISOString(), from: ahead - 6_000, to: ahead + 60_000 }),
    );
    const { started_at: start, ended_at: end } = await rowOf(recorded);
    expect(Number(end)).toBeLessThanOrEqual(Date.now());
    expect(Math.abs(Date.now() - 6_000 - Number(start))).toBeLessThan(60_000);
  });

  it('gets an answer that is not cached and has no header for other origins', async () => {
    const recorded = await newRecording();
    const answer = await sendChunk(stage.api, recorded.chunk(), gzipSync(eventsOf()), {
      headers: { origin: 'https://shop.test' },
    });
    expect(answer.status).toBe(202);
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });
});

describe('a chunk is refused with', () => {
  const expectError = (
    answer: { status: number; body: { error?: { code: string; details?: object[] } } },
    status: number,
    code: string,
    details?: object[],
  ): void => {
    expect([answer.status, answer.body.error?.code, answer.body.error?.details]).toEqual([status, code, details]);
  };

  it('401 without a key, with an unknown key, a key of another kind, or a key in the address', async () => {
    const { chunk, site } = await newRecording();
    for (const key of [undefined, null, 5, `as_${'x'.repeat(24)}`, site.key])
      expectError(await sendChunk(stage.api, { ...chunk(), key }), 401, 'unauthorized');
    expectError(
      await sendChunk(stage.api, chunk(), undefined, { path: `/collect/recordings?k=${site.tagKey}` }),
      401,
      'unauthorized',
    );
  });

  it('403 for a site that does not record, is blocked, or does not list the host of the page', async () => {
    const silent = await createTestSite(stage.database.pool);
    expectError(
      await sendChunk(stage.api, chunkOf(silent, await createVisitor(stage.database.pool, silent.id), randomUUID())),
      403,
      'forbidden',
    );
    const { chunk, site } = await newRecording();
    await updateSite(stage.database.pool, site.id, { hosts: ['shop.test'] });
    const from = async (origin: string) =>
      (await sendChunk(stage.api, chunk(), undefined, { headers: { origin } })).status;
    expect([await from('https://shop.test'), await from('https://other.test'), await from('null')]).toEqual([
      202, 403, 403,
    ]);
    await updateSite(stage.database.pool, site.id, { state: 'blocked' });
    await eventually(async () => (await sendChunk(stage.api, chunk())).status === 403, '403 of a blocked site');
  });

  // proves: tag-limits/chunk
  it('413 when the compressed part is over 1,024 KB, but not at exactly that size', async () => {
    const recorded = await newRecording();
    // Noise does not compress, so its size equals the stored size.
    const noise = (length: number): Buffer =>
      gzipSync(
        `["${randomBytes(length)
          .toString('latin1')
          .replaceAll(/[^ !#-[\]-~]/g, 'x')}"]`,
        { level: 0 },
      );
    const overhead = noise(1_000_000).length - 1_000_000;
    const exact = noise(CHUNK_MAX_BYTES - overhead - 8);
    const padded = (by: number): Buffer => Buffer.concat([exact, Buffer.alloc(CHUNK_MAX_BYTES - exact.length + by)]);
    expect(padded(0)).toHaveLength(1_024 * 1_024);
    expectError(await sendChunk(stage.api, recorded.chunk(), padded(1)), 413, 'payload_too_large');
    expectError(await sendChunk(stage.api, recorded.chunk(), padded(4_096)), 413, 'payload_too_large');
    expect((await sendChunk(stage.api, recorded.chunk(), padded(0))).status).toBe(202);
  });

  it('413 when it unpacks to more than a player can handle', async () => {
    const { chunk } = await newRecording();
    const bomb = gzipSync(Buffer.concat([Buffer.from('['), Buffer.alloc(CHUNK_MAX_TEXT_BYTES, ' '), Buffer.from(']')]));
    expect(bomb.length).toBeLessThan(CHUNK_MAX_BYTES);
    expectError(await sendChunk(stage.api, chunk(), bomb), 413, 'payload_too_large');
  });

  it.each<[string, string | Uint8Array | null, Uint8Array]>([
    ['no line', 'no line at all', Buffer.alloc(0)],
    ['not JSON', '{key\n', gzipSync('[]')],
    ['not UTF-8', null, gzipSync('[]')],
    ['a line that is too long', `{"x":"${'y'.repeat(3_000)}"}\n`, gzipSync('[]')],
  ])('400: %s', async (_what, head, events) => {
    const answer =
      head === null
        ? await sendChunk(
            stage.api,
            '',
            Buffer.concat([Buffer.from('{"key":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}\n'), events]),
          )
        : await sendChunk(stage.api, head, events);
    expectError(answer, 400, 'invalid_request');
  });

  it('400 for another content type, or a body that is compressed as a whole', async () => {
    const { chunk } = await newRecording();
    for (const headers of [
      { 'content-type': 'application/json' },
      { 'content-type': 'text/html' },
      { 'content-encoding': 'gzip' },
    ]) {
      expectError(await sendChunk(stage.api, chunk(), undefined, { headers }), 400, 'invalid_request');
    }
  });

  it.each<[object, string, string]>([
    [{ visitor_id: 'x' }, 'visitor_id', 'invalid_value'],
    [{ recording_id: undefined }, 'recording_id', 'required'],
    [{ seq: -1 }, 'seq', 'invalid_value'],
    [{ seq: RECORDING_MAX_CHUNKS }, 'seq', 'invalid_value'],
    [{ seq: 1.5 }, 'seq', 'invalid_type'],
    [{ sent_at: 'now' }, 'sent_at', 'invalid_datetime'],
    [{ from: '1' }, 'from', 'invalid_type'],
    [{ from: 1e300 }, 'from', 'invalid_value'],
    [{ events: 0 }, 'events', 'invalid_value'],
    [{ url: 'x' }, 'url', 'unknown_field'],
    [{ to: 5, from: 6 }, 'to', 'invalid_value'],
    [{ from: Date.now() - 2 * 86_400_000 }, 'from', 'too_old'],
  ])('422: %j', async (fields, field, code) => {
    const { chunk } = await newRecording();
    expectError(await sendChunk(stage.api, { ...chunk(), ...fields }), 422, 'validation_failed', [{ field, code }]);
  });

  it.each<[string, Uint8Array]>([
    ['nothing', Buffer.alloc(0)],
    ['plain JSON', Buffer.from('[]')],
    ['cut off in the middle', gzipSync(eventsOf('x'.repeat(10_000))).subarray(0, 60)],
    ['a gzip header before random bytes', Buffer.concat([Buffer.from([0x1f, 0x8b, 8, 0]), randomBytes(100)])],
    ['an object', gzipSync('{"type":4}')],
    ['an empty text', gzipSync('')],
  ])('422: its compressed part is %s', async (_what, events) => {
    const { chunk } = await newRecording();
    expectError(await sendChunk(stage.api, chunk(), events), 422, 'validation_failed', [
      { field: 'chunk', code: 'invalid_value' },
    ]);
  });

  it.each(['[]\n', 'null\n', '5\n', '"as_"\n'])('422: its line is %j', async (line) => {
    expectError(await sendChunk(stage.api, line), 422, 'validation_failed', [{ field: '', code: 'invalid_type' }]);
  });

  it('422 for a visitor that /collect does not know, or a recording of another visitor', async () => {
    const recorded = await newRecording();
    const details = [{ field: 'visitor_id', code: 'invalid_value' }];
    expectError(
      await sendChunk(stage.api, recorded.chunk({ visitor_id: randomUUID() })),
      422,
      'validation_failed',
      details,
    );
    expect(await rowOf(recorded)).toBeUndefined();
    await sendChunk(stage.api, recorded.chunk());
    expectError(
      await sendChunk(
        stage.api,
        recorded.chunk({ seq: 1, visitor_id: await createVisitor(stage.database.pool, recorded.site.id) }),
      ),
      422,
      'validation_failed',
      details,
    );
  });

  it('404 for another method, including OPTIONS of browsers', async () => {
    for (const method of ['GET', 'PUT', 'OPTIONS'])
      expect((await fetch(`${stage.api.origin}/collect/recordings`, { method })).status).toBe(404);
  });

  it('no blob left behind', async () => {
    const recorded = await newRecording();
    await sendChunk(stage.api, recorded.chunk({ events: 0 }));
    await sendChunk(stage.api, recorded.chunk(), Buffer.from('[]'));
    await expect(access(join(stage.api.blobDir, 'recordings', recorded.site.id))).rejects.toThrow('ENOENT');
  });

  it('403 for a recording that was removed, and 413 above the size of one recording', async () => {
    const [removed, large, long] = [await newRecording(), await newRecording(), await newRecording()];
    for (const recorded of [removed, large, long]) await sendChunk(stage.api, recorded.chunk());
    await deleteRecording(stage.database.pool, removed.site.id, removed.recording);
    expectError(await sendChunk(stage.api, removed.chunk({ seq: 1 })), 403, 'forbidden');
    await stage.database.pool.query('update site_recordings set bytes = $2 where recording_id = $1', [
      large.recording,
      RECORDING_MAX_BYTES,
    ]);
    await stage.database.pool.query('update site_recordings set chunks = $2 where recording_id = $1', [
      long.recording,
      RECORDING_MAX_CHUNKS,
    ]);
    for (const recorded of [large, long])
      expectError(await sendChunk(stage.api, recorded.chunk({ seq: 1 })), 413, 'payload_too_large');
    // A repeat of a stored chunk is accepted even so.
    expect((await sendChunk(stage.api, large.chunk())).status).toBe(202);
  });
});
