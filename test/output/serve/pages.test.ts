import { describe, expect, it } from '@jest/globals';
import { createHmac } from 'node:crypto';
import { createCursors, hashOfRequest } from '../../../output/serve/request/cursors.ts';
import { eventually } from '../../support/eventually.ts';
import { stageOutput } from '../support/outputStage.ts';

const stage = stageOutput();
const similar = (body: object) => stage.call('POST', '/recommendations/similar', body);
const idsOf = (body: { items: { id: string }[] }) => body.items.map(({ id }) => id);
const addTrams = (count: number) =>
  stage.addItems(Array.from({ length: count }, (_, n) => ({ id: `t-${n}`, title: `Трамвай номер ${n}` })));
const stored = (count: number) =>
  eventually(async () => {
    const { rows } = await stage.api.pool.query('select from output_snapshots where project_id = $1', [
      stage.project.id,
    ]);
    return rows.length === count;
  }, `${count} snapshots`);

/** Waits until a page is stored without a person. */
const ownerless = (page: number) =>
  eventually(async () => {
    const { rowCount } = await stage.api.pool.query(
      'select from output_snapshots where project_id = $1 and page = $2 and identity_id is null',
      [stage.project.id, page],
    );
    return rowCount === 1;
  }, 'the page of nobody');

describe('a page', () => {
  it('is filled even if the person knows everything that comes first', async () => {
    await addTrams(100);
    await stage.followed();
    const user = { user_id: 'u-1' };
    const nearest = idsOf((await similar({ item: 't-0', limit: 90 })).body);
    await stage.call('POST', '/events', {
      events: nearest.map((item, n) => ({
        id: `e-${n}`,
        type: 'open',
        item,
        user,
        occurred_at: new Date().toISOString(),
      })),
    });
    const request = { item: 't-0', user, limit: 5, include_seen: false };
    const first = (await similar(request)).body;
    expect(first.items).toHaveLength(5);
    const second = (await similar({ ...request, cursor: first.next_cursor })).body;
    expect(second.items).toHaveLength(4);
    expect(second.next_cursor).toBeNull();
    expect(idsOf(first).some((id) => nearest.includes(id))).toBe(false);
  });

  // proves: output-request/include_seen
  it('is filled even if the person knows the first six thousand', async () => {
    const { pool } = stage.api;
    const user = { user_id: 'u-1' };
    await pool.query(
      `insert into items (project_id, id, type, status, published_at, origin, available, revision, steps, created_at, updated_at)
       select $1, 'i-' || n, 'text', 'ready', '2026-01-01T00:00:00Z'::timestamptz - n * interval '1 minute', 'api', true, 1, '{}', now(), now()
         from generate_series(1, 6100) n`,
      [stage.project.id],
    );
    await stage.call('POST', '/users/profile', { user, city: 'Казань' });
    await pool.query(
      `insert into events (project_id, id, identity_id, item_id, type, occurred_at)
       select $1, 'e-' || n, p.id, 'i-' || n, 'open', now() - interval '1 day'
         from generate_series(1, 6000) n cross join (select id from identities where project_id = $1) p`,
      [stage.project.id],
    );
    await stage.followed();
    const { body } = await stage.call('POST', '/recommendations/popular', { user, limit: 3 });
    expect(idsOf(body)).toEqual(['i-6001', 'i-6002', 'i-6003']);
    expect(body.next_cursor).not.toBeNull();
  });

  // proves: output-shown/eligible-at-once
  it('is the same when it is requested again, except for what may no longer be shown', async () => {
    await addTrams(30);
    await stage.followed();
    const request = { item: 't-0', limit: 10, explain: true };
    const first = (await similar(request)).body;
    const second = (await similar({ ...request, cursor: first.next_cursor })).body;
    // While its snapshot waits to be stored, and afterwards.
    expect((await similar({ ...request, cursor: first.next_cursor })).body).toEqual(second);
    await stored(2);
    expect((await similar({ ...request, cursor: first.next_cursor })).body).toEqual(second);
    const third = (await similar({ ...request, cursor: second.next_cursor })).body;
    expect(third.items).toHaveLength(9);
    await stage.call('DELETE', `/items/${second.items[3].id}`);
    const again = (await similar({ ...request, cursor: first.next_cursor })).body;
    expect(again.items).toEqual(second.items.filter((_: unknown, at: number) => at !== 3));
    expect(again.next_cursor).toBe(second.next_cursor);
  });

  // proves: output-request/cursor
  it('is one page for all who send its cursor at the same time, and the next one repeats none of it', async () => {
    await addTrams(60);
    await stage.followed();
    // New items on trial are drawn at random.
    const request = { user: { user_id: 'u-1' }, limit: 10, exploration: 0.3 };
    const feed = async (cursor?: string) =>
      (await stage.call('POST', '/recommendations/feed', { ...request, ...(cursor && { cursor }) })).body;
    const first = await feed();
    const holder = await stage.api.pool.connect();
    await holder.query('begin; lock table output_snapshots in access exclusive mode');
    const asked = Array.from({ length: 8 }, () => feed(first.next_cursor));
    await eventually(async () => {
      const { rowCount } = await holder.query(
        `select from pg_locks where relation = 'output_snapshots'::regclass and not granted`,
      );
      return rowCount !== 0;
    }, 'a request that reads the earlier pages');
    await holder.query('commit');
    holder.release();
    const pages = await Promise.all(asked);
    for (const page of pages) expect(page).toEqual(pages[0]);
    const third = await feed(pages[0].next_cursor);
    expect(idsOf(third).filter((id) => [...idsOf(first), ...pages.flatMap(idsOf)].includes(id))).toEqual([]);
  });

  it('keeps items that the person has met in the meantime when it is requested again', async () => {
    await addTrams(12);
    await stage.followed();
    const user = { user_id: 'u-1' };
    const request = { item: 't-0', user, limit: 3, include_seen: false };
    const { next_cursor: cursor } = (await similar(request)).body;
    const second = (await similar({ ...request, cursor })).body;
    const [item] = idsOf(second);
    await stage.call('POST', '/events', {
      events: [{ id: 'e-1', type: 'open', item, user, occurred_at: new Date().toISOString() }],
    });
    expect((await similar({ ...request, cursor })).body).toEqual(second);
    expect(idsOf((await similar({ ...request, limit: 11 })).body)).not.toContain(item);
  });

  // proves: output-request/cursor
  it('is not available if the previous page is lost', async () => {
    await addTrams(12);
    await stage.followed();
    const request = { item: 't-0', limit: 5 };
    const { next_cursor: cursor } = (await similar(request)).body;
    await stored(1);
    await stage.api.pool.query('delete from output_snapshots where project_id = $1', [stage.project.id]);
    const { status, body } = await similar({ ...request, cursor });
    expect([status, body.error.details[0].field]).toEqual([400, 'cursor']);
  });

  it('cannot be continued once its person is deleted and purged', async () => {
    await addTrams(12);
    await stage.followed();
    const user = { user_id: 'u-1' };
    await stage.call('POST', '/users/profile', { user, city: 'Казань' });
    const request = { item: 't-0', user, limit: 3 };
    const first = (await similar(request)).body;
    const second = (await similar({ ...request, cursor: first.next_cursor })).body;
    await stored(2);
    await stage.call('POST', '/users/delete', { user });
    const again = await similar({ ...request, cursor: first.next_cursor });
    expect([again.status, idsOf(again.body)]).toEqual([200, idsOf(second)]);
    await stage.api.pool.query('delete from output_snapshots where project_id = $1', [stage.project.id]);
    const purged = await similar({ ...request, cursor: first.next_cursor });
    expect([purged.status, purged.body.error.details[0].field]).toEqual([400, 'cursor']);
  });

  // proves: output-shown/personalization
  it('is made again without the history of a person who has turned personalization off', async () => {
    await stage.addItems([
      ...Array.from({ length: 8 }, (_, n) => ({ id: `t-${n}`, title: `Трамвай номер ${n}` })),
      ...Array.from({ length: 8 }, (_, n) => ({ id: `s-${n}`, title: `Рецепт супа номер ${n}` })),
    ]);
    await stage.send([{ who: 'u-1', item: 't-0' }]);
    await stage.followed();
    const user = { user_id: 'u-1' };
    const feed = async (cursor?: string) =>
      (await stage.call('POST', '/recommendations/feed', { user, limit: 3, exploration: 0, ...(cursor && { cursor }) }))
        .body;
    const first = await feed();
    const second = await feed(first.next_cursor);
    expect([second.mode, second.items[0].reason]).toEqual(['personal', { code: 'similar', item: 't-0' }]);
    await stored(2);
    await stage.call('POST', '/users/profile', { user, personalization: false });
    const again = await feed(first.next_cursor);
    expect(again.mode).toBe('popular');
    expect(new Set(again.items.map(({ reason }: { reason: { code: string } }) => reason.code))).toEqual(
      new Set(['new']),
    );
    // The page that was made again is the one that pages after it continue, from memory and from the table.
    for (const isStored of [false, true]) {
      if (isStored) await ownerless(1);
      expect(await feed(first.next_cursor)).toEqual(again);
      const third = await feed(again.next_cursor);
      expect(third.items.map(({ position }: { position: number }) => position)).toEqual([6, 7, 8]);
      expect(idsOf(third).filter((id) => [...idsOf(first), ...idsOf(again)].includes(id))).toEqual([]);
    }
  });

  // proves: output-request/explain
  it("explains each item's score, on request", async () => {
    await addTrams(3);
    await stage.followed();
    const [item] = (await similar({ item: 't-0', explain: true })).body.items;
    expect(item.explain).toEqual({ subject: 't-0', cosine: item.score, model: 'builtin-embed-2' });
    expect((await similar({ item: 't-0' })).body.items[0]).not.toHaveProperty('explain');
  });

  // proves: output-request/explain
  it('explains its scores again when it is requested again', async () => {
    await stage.api.pool.query(
      `insert into item_properties (project_id, name, type, filterable) values ($1, 'level', 'number', true)`,
      [stage.project.id],
    );
    await stage.addItems(
      Array.from({ length: 12 }, (_, n) => ({ id: `t-${n}`, title: `Трамвай номер ${n}`, properties: { level: n } })),
    );
    await stage.followed();
    const user = { user_id: 'u-1' };
    await stage.call('POST', '/events', {
      events: [{ id: 'e-1', type: 'like', item: 't-0', value: 1, user, occurred_at: new Date().toISOString() }],
    });
    const boosts = [{ filter: { property: 'level', op: 'gte', value: 0 }, factor: 10 }];
    const request = { user, limit: 4, boosts, explain: true, exploration: 0, include_seen: true };
    const told: object[] = [];
    for (const [path, body] of [
      ['/recommendations/similar', { ...request, item: 't-0' }],
      ['/recommendations/feed', request],
      ['/search', { ...request, query: 'трамвай', semantic: 0 }],
    ] as const) {
      const { next_cursor: cursor } = (await stage.call('POST', path, body)).body;
      const second = (await stage.call('POST', path, { ...body, cursor })).body;
      expect(second.items).toHaveLength(4);
      await stored(2 * (told.length + 1));
      const again = (await stage.call('POST', path, { ...body, cursor })).body;
      expect(again.items).toEqual(second.items);
      told.push(again.items[0].explain);
      expect(again.items[0].reason).toEqual(second.items[0].reason);
      expect(Object.keys(again.items[0].reason)).not.toContain('factor');
    }
    const [near, personal, found] = told as [{ cosine: number }, { parts: object }, { relevance: number }];
    expect(near).toMatchObject({ subject: 't-0', factor: 10 });
    expect(near.cosine).toBeLessThanOrEqual(1);
    expect(personal).toMatchObject({ factor: 10, parts: { content: expect.any(Number) } });
    expect(found).toMatchObject({ relevance: expect.any(Number), factor: 10 });
  });
});

describe('a cursor', () => {
  const key = Buffer.alloc(32, 1);
  const cursors = createCursors(key);
  const bodyHash = hashOfRequest('feed', { limit: 20, context: { city: 'Москва', country: 'Россия' } });
  const position = { recommendationId: 'r1c.AAAAAAAAAAAAAAAAAAAAAA', page: 3, firstPosition: 60, bodyHash };
  const read = (projectId: string, cursor: string) => cursors.read(projectId, cursor, bodyHash);

  // proves: output-request/cursor-length
  it('is read as it was written, and has at most 512 characters', () => {
    for (const one of [position, { ...position, isWithoutPictures: true }])
      expect(read('p', cursors.write('p', one))).toEqual(one);
    // The previous release reads past a zero before the number of the page.
    const written = cursors.write('p', { ...position, page: 10, isWithoutPictures: true });
    expect(Buffer.from(written, 'base64url').subarray(16).toString()).toBe(
      `${position.recommendationId}/010/60/${position.bodyHash}`,
    );
    expect(read('p', written)).toEqual({ ...position, page: 10, isWithoutPictures: true });
    expect(read('p', cursors.write('p', { ...position, page: 10 }))).toEqual({ ...position, page: 10 });
    expect(cursors.write('p', { ...position, recommendationId: 'x'.repeat(64) }).length).toBeLessThanOrEqual(512);
  });

  // proves: output-request/cursor
  it('is refused if it is made up, changed, or of another project', () => {
    const cursor = cursors.write('p', position);
    expect(read('q', cursor)).toBeNull();
    expect(createCursors(Buffer.alloc(32, 2)).read('p', cursor, bodyHash)).toBeNull();
    for (let at = 0; at < cursor.length; at += 1) {
      const changed = cursor.slice(0, at) + (cursor[at] === 'A' ? 'B' : 'A') + cursor.slice(at + 1);
      expect(read('p', changed)).toBeNull();
    }
    // Other spellings of the same bytes.
    for (const otherSpelling of [
      `${cursor}A`,
      `${cursor}=`,
      `${cursor}\n`,
      ` ${cursor}`,
      cursor.replace(/^(.)/, '$1*'),
    ])
      expect(read('p', otherSpelling)).toBeNull();
    const text = Buffer.from(`${position.recommendationId}/9/900/${position.bodyHash}`);
    const seal = createHmac('sha256', 'guess').update(text).digest().subarray(0, 16);
    expect(read('p', Buffer.concat([seal, text]).toString('base64url'))).toBeNull();
    for (const nothing of ['', 'bm9uc2Vuc2U', 'ё', cursor.slice(0, 20)]) expect(read('p', nothing)).toBeNull();
  });

  // proves: output-request/cursor
  it('continues only the request that it came from, whatever the order of its fields', () => {
    const same = hashOfRequest('feed', { context: { country: 'Россия', city: 'Москва' }, limit: 20, cursor: 'x' });
    const other = hashOfRequest('feed', { limit: 21, context: { city: 'Москва', country: 'Россия' } });
    const elsewhere = hashOfRequest('next', { limit: 20, context: { city: 'Москва', country: 'Россия' } });
    const cursor = cursors.write('p', position);
    expect(cursors.read('p', cursor, same)).toEqual(position);
    for (const hash of [other, elsewhere]) expect(cursors.read('p', cursor, hash)).toBeNull();
  });
});
