import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { fetch } from 'undici';
import { beginRecording } from '../../../../db/recordings/recordingIntake.ts';
import { DEFAULT_QUOTAS } from '../../../../domain/sites/siteQuotas.ts';
import { createHeldReports } from '../../support/heldReports.ts';
import { chunkOf, createRecordingSite, createVisitor, eventsOf, sendChunk } from '../../support/recordings.ts';
import { stageApi } from '../../support/stageApi.ts';
import { clientOf, createTestToken, type Client } from '../../support/testApi.ts';
import type { TestSite } from '../../support/testSite.ts';

const UNKNOWN = '019a9d3c-52a1-7c3e-9f00-3b1f0a6b2c11';
const DAY_MS = 86_400_000;

const reports = createHeldReports();
const stage = stageApi({ reports });
let token: string;
let admin: Client;

beforeAll(async () => {
  token = await createTestToken(stage.database.pool);
  admin = clientOf(stage.api.cabinet, token);
});

async function record(site: TestSite, visitorId: string, texts: readonly string[] = ['one']): Promise<string> {
  const id = randomUUID();
  const now = Date.now();
  for (const [seq, text] of texts.entries()) {
    const { status } = await sendChunk(
      stage.api,
      chunkOf(site, visitorId, id, { seq, from: now - 6_000 + seq, to: now }),
      gzipSync(eventsOf(text)),
      { headers: { 'user-agent': 'Test/1.0' } },
    );
    expect(status).toBe(202);
  }
  return id;
}

const idsOf = (answer: { body: { items: { id: string }[] } }): string[] => answer.body.items.map(({ id }) => id);

describe('recordings', () => {
  it('are shown with their parts, whose bytes are exactly as they were sent', async () => {
    const site = await createRecordingSite(stage.database.pool);
    const visitor = await createVisitor(stage.database.pool, site.id);
    const id = await record(site, visitor, ['one', 'two']);
    const { status, body } = await admin('GET', `/sites/${site.id}/recordings/${id}`);
    expect([status, body]).toMatchObject([
      200,
      { id, visitor_id: visitor, chunks: 2, events: 2, user_agent: 'Test/1.0', favourite: false },
    ]);
    expect(body.duration_ms).toBe(Date.parse(body.ended_at) - Date.parse(body.started_at));
    expect(Date.parse(body.expires_at) - Date.parse(body.received_at)).toBe(15 * DAY_MS);
    expect(body.parts.map(({ seq, bytes }: { seq: number; bytes: number }) => [seq, bytes])).toEqual([
      [0, gzipSync(eventsOf('one')).length],
      [1, gzipSync(eventsOf('two')).length],
    ]);
    const part = await fetch(`${stage.api.cabinet}/sites/${site.id}/recordings/${id}/chunks/1`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect([
      part.status,
      part.headers.get('content-type'),
      part.headers.get('content-encoding'),
      part.headers.get('content-security-policy'),
    ]).toEqual([200, 'application/gzip', null, "default-src 'none'; sandbox"]);
    expect(Buffer.from(await part.arrayBuffer())).toEqual(gzipSync(eventsOf('two')));
  });

  it('are listed newest first, each on exactly one page, including those of one moment', async () => {
    const site = await createRecordingSite(stage.database.pool);
    const visitor = await createVisitor(stage.database.pool, site.id);
    const made: string[] = [];
    for (let count = 0; count < 5; count += 1) made.push(await record(site, visitor));
    await stage.database.pool.query(
      `update site_recordings set created_at = '2026-11-20T10:00:00.123456Z' where recording_id = any($1)`,
      [made.slice(1, 4)],
    );
    await stage.database.pool.query(
      `update site_recordings set created_at = '2026-11-20T10:00:00.123457Z' where recording_id = $1`,
      [made[0]],
    );
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = await admin('GET', `/sites/${site.id}/recordings?limit=1${cursor && `&cursor=${cursor}`}`);
      seen.push(...idsOf(page));
      cursor = page.body.next_cursor;
    }
    expect(seen).toEqual([made[4], made[0], ...made.slice(1, 4).toSorted().toReversed()]);
    expect((await admin('GET', `/sites/${site.id}/recordings?cursor=abc`)).status).toBe(400);
  });

  it('are shown with their visit, and found by it, its pages and its source', async () => {
    const { pool } = stage.database;
    const site = await createRecordingSite(pool);
    const [anna, ivan] = [await createVisitor(pool, site.id), await createVisitor(pool, site.id)];
    const [first, tab, other] = [await record(site, anna), await record(site, anna), await record(site, ivan)];
    const visit = randomUUID();
    const state = {
      row: {
        entry_url: 'https://shop.test/Sale?a=1',
        exit_url: 'https://shop.test/thanks/%D0%BE%D0%BF%D0%BB%D0%B0%D1%82%D0%B0',
        source_last: { source_type: 'ad', source_name: 'Yandex Direct' },
      },
    };
    for (const [id, hours] of [
      [visit, 0],
      [randomUUID(), 5],
    ] as const)
      await pool.query(
        `insert into site_visits (site_id, visitor_id, visit_id, shard, started_at, last_hit_at, state)
         values ($1, $2, $3, 0, now() - make_interval(hours => $4, secs => 60), now() - make_interval(hours => $4, secs => 30), $5)`,
        [site.id, anna, id, hours, JSON.stringify(hours === 0 ? state : { row: {} })],
      );
    const list = async (query: string) => idsOf(await admin('GET', `/sites/${site.id}/recordings?${query}`));
    expect((await admin('GET', `/sites/${site.id}/recordings/${tab}`)).body).toMatchObject({
      visit_id: visit,
      entry_page: 'https://shop.test/Sale?a=1',
      source_type: 'ad',
      source_name: 'Yandex Direct',
    });
    expect((await admin('GET', `/sites/${site.id}/recordings/${other}`)).body.visit_id).toBeNull();
    for (const found of [
      `visit=${visit.toUpperCase()}`,
      'page=/sale',
      'page=THANKS',
      `page=${encodeURIComponent('/thanks/Оплата')}`,
      'source_type=ad',
      'source=Yandex%20Direct',
    ])
      expect([found, await list(found)]).toEqual([found, [tab, first]]);
    for (const none of [`visit=${UNKNOWN}`, 'page=/other', 'source_type=direct', 'source=Google'])
      expect([none, await list(none)]).toEqual([none, []]);
    expect((await admin('GET', `/sites/${site.id}/recordings?source_type=nonsense`)).status).toBe(400);
  });

  it('are filtered by visitor, time and whether they are favourites', async () => {
    const site = await createRecordingSite(stage.database.pool);
    const [anna, ivan] = [
      await createVisitor(stage.database.pool, site.id),
      await createVisitor(stage.database.pool, site.id),
    ];
    const [old, mine, other] = [await record(site, anna), await record(site, anna), await record(site, ivan)];
    await stage.database.pool.query(
      `update site_recordings set created_at = '2026-11-20T10:00:00Z' where recording_id = $1`,
      [old],
    );
    await admin('PATCH', `/sites/${site.id}/recordings/${old}`, { favourite: true });
    const list = async (query: string) => idsOf(await admin('GET', `/sites/${site.id}/recordings?${query}`));
    expect(await list(`visitor=${anna}`)).toEqual([mine, old]);
    expect(await list(`visitor=${ivan.toUpperCase()}`)).toEqual([other]);
    expect(await list('favourite=true')).toEqual([old]);
    expect(await list('favourite=false')).toEqual([other, mine]);
    expect(await list('since=2026-11-20T10:00:00Z&until=2026-11-20T10:00:00.001Z')).toEqual([old]);
    expect(await list('until=2026-11-20T10:00:00Z')).toEqual([]);
    expect((await admin('GET', `/sites/${site.id}/recordings?visitor=x`)).status).toBe(400);
    expect((await admin('GET', `/sites/${site.id}/recordings?since=yesterday`)).status).toBe(400);
  });

  // proves: report-limits/favourites
  it('are favourites up to the quota, however many are marked at once, and are then kept for 90 days', async () => {
    const site = await createRecordingSite(stage.database.pool);
    const visitor = await createVisitor(stage.database.pool, site.id);
    await admin('PATCH', `/sites/${site.id}`, { quotas: { favourites: 2, recording_days: 3 } });
    const ids = await Promise.all([1, 2, 3, 4].map(() => record(site, visitor)));
    const mark = (id: string | undefined, favourite: boolean) =>
      admin('PATCH', `/sites/${site.id}/recordings/${id}`, { favourite });
    const answers = await Promise.all(ids.map((id) => mark(id, true)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 422, 422]);
    expect(answers.find(({ status }) => status === 422)?.body.error.details).toMatchObject([
      { field: 'favourite', code: 'invalid_value' },
    ]);
    const marked = answers.find(({ status }) => status === 200)?.body;
    expect(Date.parse(marked.expires_at) - Date.parse(marked.received_at)).toBe(90 * DAY_MS);
    expect((await mark(marked.id, true)).status).toBe(200);
    const unmarked = await mark(marked.id, false);
    expect(Date.parse(unmarked.body.expires_at) - Date.parse(unmarked.body.received_at)).toBe(3 * DAY_MS);
    expect((await mark(ids[answers.findIndex(({ status }) => status === 422)], true)).status).toBe(200);
  });

  it('are deleted at once, with their parts', async () => {
    const site = await createRecordingSite(stage.database.pool);
    const id = await record(site, await createVisitor(stage.database.pool, site.id));
    const path = `/sites/${site.id}/recordings/${id}`;
    expect(await admin('DELETE', path)).toMatchObject({ status: 200, body: { id, deleted: true } });
    for (const gone of [path, `${path}/chunks/0`]) expect((await admin('GET', gone)).status).toBe(404);
    expect((await admin('DELETE', path)).status).toBe(404);
    expect((await admin('PATCH', path, { favourite: true })).status).toBe(404);
    expect(idsOf(await admin('GET', `/sites/${site.id}/recordings`))).toEqual([]);
  });

  it('belong to their own site', async () => {
    const [site, other] = [
      await createRecordingSite(stage.database.pool),
      await createRecordingSite(stage.database.pool),
    ];
    const id = await record(site, await createVisitor(stage.database.pool, site.id));
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/chunks/0'],
      ['DELETE', ''],
    ] as const) {
      expect((await admin(method, `/sites/${other.id}/recordings/${id}${path}`)).status).toBe(404);
    }
    expect(idsOf(await admin('GET', `/sites/${other.id}/recordings`))).toEqual([]);
  });

  it('show what happens in them and when, by the clock of the device', async () => {
    const { pool } = stage.database;
    const site = await createRecordingSite(pool);
    const visitor = await createVisitor(pool, site.id);
    const [id, from] = [randomUUID(), 1_000_000];
    const events = [
      [
        { type: 4, timestamp: from, data: { href: 'https://shop.test/?email=a@b.ru&n=1' } },
        { type: 5, timestamp: from + 900, data: { tag: 'svc-click', payload: { selector: '#buy' } } },
        { type: 3, timestamp: from + 901, data: { source: 2, type: 2 } },
      ],
      [
        { type: 4, timestamp: from + 2_000, data: { href: 'https://shop.test/?n=1' } },
        { type: 5, timestamp: from + 2_500, data: { tag: 'svc-page', payload: { href: 'https://shop.test/cart' } } },
        { type: 5, timestamp: from + 3_000, data: { tag: 'svc-error', payload: { message: 'no a@b.ru \0' } } },
        { type: 4, timestamp: from + 3_100, data: { href: 'javascript:alert(1)' } },
        { type: 5, timestamp: 'soon', data: { tag: 'svc-click', payload: null } },
        null,
      ],
    ];
    const now = Date.now();
    for (const [seq, part] of events.entries())
      await sendChunk(
        stage.api,
        chunkOf(site, visitor, id, {
          seq,
          from: from + seq * 2_000,
          to: from + 3_000,
          sent_at: new Date(from + 3_000).toISOString(),
        }),
        gzipSync(JSON.stringify(part)),
      );
    const visit = randomUUID();
    await pool.query(
      `insert into site_visits (site_id, visitor_id, visit_id, shard, started_at, last_hit_at, goals, state)
       values ($1, $2, $3, 0, now() - interval '1 minute', now(), 1, '{"row": {}}')`,
      [site.id, visitor, visit],
    );
    await admin('PUT', `/sites/${site.id}/goals/lead`, { title: 'Lead', type: 'js' });
    await pool.query(
      `insert into site_conversions (site_id, origin, id, goal, goal_source, visitor_id, occurred_at, attribution, visit_id, visit_started_at, shard)
       select $1, 'tag', n::text, 'lead', 'tag', $2, to_timestamp($4::float8 / 1000) - n * interval '1 hour', 'visit', $3, now(), 0 from generate_series(0, 1) n`,
      [site.id, visitor, visit, now],
    );
    const { body } = await admin('GET', `/sites/${site.id}/recordings/${id}/timeline`);
    const moments = body.moments as { offset_ms: number; type: string; text: string; title: string | null }[];
    expect(
      moments.filter(({ type }) => type !== 'goal').map(({ offset_ms, type, text }) => [offset_ms, type, text]),
    ).toEqual([
      [0, 'page', 'https://shop.test/?n=1'],
      [900, 'click', '#buy'],
      [2_500, 'page', 'https://shop.test/cart'],
      [3_000, 'error', 'no [email] '],
    ]);
    expect(moments.filter(({ type }) => type === 'goal')).toMatchObject([{ text: 'lead', title: 'Lead' }]);
    expect(body).toMatchObject({ truncated: false, read: true });
    expect((await admin('GET', `/sites/${site.id}/recordings/${id}`)).body).toMatchObject({
      pages: 2,
      clicks: 1,
      errors: 1,
      goals: 1,
    });
    expect((await admin('GET', `/sites/${site.id}/recordings/${UNKNOWN}/timeline`)).status).toBe(404);
    const list = async (query: string) => idsOf(await admin('GET', `/sites/${site.id}/recordings?${query}`));
    for (const found of ['page=/CART', 'goal=lead', 'errors=true', 'min_duration=2', 'max_duration=5'])
      expect([found, await list(found)]).toEqual([found, [id]]);
    for (const none of ['page=/other', 'goal=order', 'errors=false', 'min_duration=6', 'max_duration=2'])
      expect([none, await list(none)]).toEqual([none, []]);
    const conditions = { dimension: 'browser', op: 'eq', values: ['Firefox'] };
    const { body: segment } = await admin('POST', `/sites/${site.id}/segments`, { title: 'Firefox', conditions });
    reports.answers.visits = { visits: [UNKNOWN, visit], sampled: false };
    expect(await list(`segment=${segment.id}&goal=lead`)).toEqual([id]);
    const { kind, request } = reports.questions.at(-1) ?? {};
    expect([kind, request]).toMatchObject(['visits', { segment: { scope: 'visit', condition: conditions } }]);
    reports.answers.visits = { visits: [UNKNOWN], sampled: false };
    expect(await list(`segment=${segment.id}`)).toEqual([]);
    // A period in the future is not sent to the report engine.
    const asked = reports.questions.length;
    expect(await list(`segment=${segment.id}&since=2999-01-01T00:00:00Z`)).toEqual([]);
    expect(reports.questions).toHaveLength(asked);
    expect(await admin('GET', `/sites/${site.id}/recordings?segment=${UNKNOWN}`)).toMatchObject({
      status: 400,
      body: { error: { details: [{ field: 'segment', code: 'unknown_segment' }] } },
    });
  });

  it('list at most a hundred pages, each once', async () => {
    const site = await createRecordingSite(stage.database.pool);
    const visitor = await createVisitor(stage.database.pool, site.id);
    const id = randomUUID();
    for (const seq of [0, 1, 2]) {
      const pages = Array.from({ length: 60 }, (_, n) => `https://shop.test/${Math.min(seq, 1) * 50 + n}`);
      const events = pages.map((href, n) => ({ type: 4, timestamp: n, data: { href } }));
      await sendChunk(stage.api, chunkOf(site, visitor, id, { seq }), gzipSync(JSON.stringify(events)));
    }
    expect((await admin('GET', `/sites/${site.id}/recordings/${id}`)).body.pages).toBe(100);
    expect(idsOf(await admin('GET', `/sites/${site.id}/recordings?page=shop.test/99`))).toEqual([id]);
  });

  it('return many of their parts at a time', async () => {
    const site = await createRecordingSite(stage.database.pool);
    const id = await record(site, await createVisitor(stage.database.pool, site.id), ['one', 'two', 'three']);
    const ask = async (from: number) => {
      const answer = await fetch(`${stage.api.cabinet}/sites/${site.id}/recordings/${id}/chunks?from=${from}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      expect(answer.status).toBe(200);
      return Buffer.from(await answer.arrayBuffer());
    };
    const packed = (seq: number, text: string) => {
      const [prefix, bytes] = [Buffer.alloc(8), gzipSync(eventsOf(text))];
      prefix.writeUInt32BE(seq, 0);
      prefix.writeUInt32BE(bytes.length, 4);
      return Buffer.concat([prefix, bytes]);
    };
    expect(await ask(1)).toEqual(Buffer.concat([packed(1, 'two'), packed(2, 'three')]));
    expect(await ask(3)).toEqual(Buffer.alloc(0));
  });

  it('answer 404 if they do not exist, and 400 if the id is malformed', async () => {
    const site = await createRecordingSite(stage.database.pool);
    const id = await record(site, await createVisitor(stage.database.pool, site.id));
    expect((await admin('GET', `/sites/zzzzzzzzzzzz/recordings`)).status).toBe(404);
    expect((await admin('GET', `/sites/${site.id}/recordings/${UNKNOWN}`)).status).toBe(404);
    expect((await admin('GET', `/sites/${site.id}/recordings/${id}/chunks/1`)).status).toBe(404);
    for (const path of ['/1', `/${id}/chunks/-1`, `/${id}/chunks/01`, `/${id}/chunks/x`])
      expect((await admin('GET', `/sites/${site.id}/recordings${path}`)).status).toBe(400);
    expect((await admin('PATCH', `/sites/${site.id}/recordings/${id}`, { favourite: null })).status).toBe(422);
    expect((await admin('PATCH', `/sites/${site.id}/recordings/${id}`, {})).status).toBe(422);
  });

  it('do not appear before one of their parts is stored', async () => {
    const site = await createRecordingSite(stage.database.pool);
    const [visitorId, recordingId] = [await createVisitor(stage.database.pool, site.id), randomUUID()];
    // Leaves what an intake leaves that is killed before it stores the row of its first chunk.
    await beginRecording(
      stage.database.pool,
      { siteId: site.id, recordingId, visitorId, userAgent: '' },
      DEFAULT_QUOTAS,
    );
    expect(idsOf(await admin('GET', `/sites/${site.id}/recordings`))).toEqual([]);
    for (const method of ['GET', 'PATCH'] as const) {
      expect(
        (
          await admin(
            method,
            `/sites/${site.id}/recordings/${recordingId}`,
            method === 'PATCH' ? { favourite: true } : undefined,
          )
        ).status,
      ).toBe(404);
    }
    expect((await sendChunk(stage.api, chunkOf(site, visitorId, recordingId))).status).toBe(202);
    expect(idsOf(await admin('GET', `/sites/${site.id}/recordings`))).toEqual([recordingId]);
  });

  it('answer 404 for a part whose file is lost', async () => {
    const site = await createRecordingSite(stage.database.pool);
    const id = await record(site, await createVisitor(stage.database.pool, site.id));
    await stage.api.blobs.removeFolder(`recordings/${site.id}/${id}`);
    expect((await admin('GET', `/sites/${site.id}/recordings/${id}/chunks/0`)).status).toBe(404);
  });
});

describe('a visitor', () => {
  it('is deleted in the background, once, however often it is requested', async () => {
    const site = await createRecordingSite(stage.database.pool);
    const visitor = await createVisitor(stage.database.pool, site.id);
    for (const asked of [visitor, visitor, visitor.toUpperCase()]) {
      expect(await admin('DELETE', `/sites/${site.id}/visitors/${asked}`)).toMatchObject({
        status: 202,
        body: { visitor_id: visitor, accepted: true },
      });
    }
    const { rows } = await stage.database.pool.query('select visitor_id from visitor_deletions where site_id = $1', [
      site.id,
    ]);
    expect(rows).toEqual([{ visitor_id: visitor }]);
    expect((await admin('DELETE', `/sites/zzzzzzzzzzzz/visitors/${visitor}`)).status).toBe(404);
    expect((await admin('DELETE', `/sites/${site.id}/visitors/x`)).status).toBe(400);
  });
});
