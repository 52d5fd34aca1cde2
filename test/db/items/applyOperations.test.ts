import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { writeItems } from '../../../db/items/writeItems.ts';
import type { ItemContent, MediumWrite } from '../../../domain/items/item.ts';
import type { ItemOperation } from '../../../domain/items/decideOperation.ts';
import { PRIORITY } from '../../../domain/jobs/queues.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { addSilentWebhook, Analyst, mediaItem, mediaOf, medium, plain, snapshot } from '../../support/items/items.ts';
import { createTestProject, textItem } from '../../support/project.ts';

let database: TestDatabase;
let projectId: string;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  projectId = await createTestProject(database.pool);
});

const put = (id: string, content: Partial<ItemContent> = {}): ItemOperation => ({
  op: 'put',
  id,
  content: textItem(content),
});
const apply = (operations: ItemOperation[], given: { projectId?: string; origin?: 'api' | 'import' } = {}) =>
  writeItems(
    database.pool,
    { projectId, origin: 'api', priority: PRIORITY.bulk, requestId: 'r', ...given },
    operations,
  );
const outcomes = async (operations: ItemOperation[]) => (await apply(operations)).map(({ outcome }) => outcome);
const shuffled = <T>(values: T[], random: () => number): T[] =>
  values
    .map((value) => [random(), value] as const)
    .sort(([a], [b]) => a - b)
    .map(([, value]) => value);

/** Returns pseudo-random numbers, the same in every run (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

describe('operations on the same id', () => {
  it('are performed in order', async () => {
    expect(
      await outcomes([
        { op: 'patch', id: 'a', patch: { title: 'x' } },
        put('a'),
        { op: 'patch', id: 'a', patch: { title: 'y' } },
        { op: 'delete', id: 'a' },
        { op: 'patch', id: 'a', patch: { author: 'me' } },
        { op: 'delete', id: 'nobody' },
      ]),
    ).toEqual(['not_found', 'created', 'updated', 'deleted', 'updated', 'not_found']);
    const { rows } = await database.pool.query(
      `select title, author, deleted, revision::int, request_id from items where project_id = $1`,
      [projectId],
    );
    expect(rows).toEqual([{ title: 'y', author: 'me', deleted: true, revision: 2, request_id: 'r' }]);
  });

  it('report the state after each', async () => {
    const results = await apply([
      put('a'),
      { op: 'patch', id: 'a', patch: { available: false } },
      { op: 'delete', id: 'a' },
      put('a'),
    ]);
    expect(results.map(({ head }) => [head?.status, head?.available, head?.deleted])).toEqual([
      ['queued', true, false],
      ['queued', false, false],
      ['queued', false, true],
      ['queued', true, false],
    ]);
  });

  // proves: webhook-kinds/5
  it('request one analysis, queued behind single writes', async () => {
    await apply([put('a'), put('a', { title: '2' }), put('b')]);
    const { rows } = await database.pool.query(
      'select entity_id, priority from outbox where project_id = $1 order by entity_id',
      [projectId],
    );
    expect(rows).toEqual([
      { entity_id: 'a', priority: PRIORITY.bulk },
      { entity_id: 'b', priority: PRIORITY.bulk },
    ]);
  });

  it('treat a medium that was removed and came back as a new one', async () => {
    const analyst = new Analyst(database.pool, projectId);
    await analyst.put('m', mediaItem('mixed', [medium('image', 'a'), medium('image', 'b')]));
    const before = await mediaOf(database.pool, projectId, 'm');
    await apply([
      { op: 'patch', id: 'm', patch: { media: [medium('image', 'b')] } },
      { op: 'patch', id: 'm', patch: { media: [medium('image', 'b'), medium('image', 'a')] } },
    ]);
    const after = await mediaOf(database.pool, projectId, 'm');
    expect(after.map(({ url }) => url.at(-1))).toEqual(['b', 'a']);
    expect([after[0]?.id === before[1]?.id, after[1]?.id === before[0]?.id]).toEqual([true, false]);
  });
});

it('an invalid operation changes nothing and does not affect others', async () => {
  await apply([{ op: 'put', id: 'v', content: mediaItem('video', [medium('video', 'a')]) }]);
  const results = await apply([put('x'), { op: 'patch', id: 'v', patch: { title: 'lost', media: [] } }, put('y')]);
  expect(results.map(({ outcome, head, faults }) => ({ outcome, hasHead: head !== null, faults }))).toEqual([
    { outcome: 'created', hasHead: true, faults: [] },
    { outcome: 'invalid', hasHead: false, faults: [{ field: 'media', code: 'invalid_value' }] },
    { outcome: 'created', hasHead: true, faults: [] },
  ]);
  const { rows } = await database.pool.query('select title from items where project_id = $1 and id = $2', [
    projectId,
    'v',
  ]);
  expect(rows).toEqual([{ title: 'Медиа' }]);
});

it('a body is compared without being read, and kept if it is not sent', async () => {
  const long = 'ё'.repeat(300_000);
  await apply([put('a', { body: long }), put('b', { body: long }), put('c', { body: null }), put('d', { body: long })]);
  expect(
    await outcomes([
      put('a', { body: long }),
      put('b', { body: `${long.slice(1)}е` }),
      put('c', { body: null }),
      { op: 'patch', id: 'd', patch: { title: 'neu' } },
    ]),
  ).toEqual(['unchanged', 'updated', 'unchanged', 'updated']);
  const { rows } = await database.pool.query<{ id: string; length: number | null }>(
    'select id, char_length(body) as length from items where project_id = $1 order by id',
    [projectId],
  );
  expect(rows.map(({ length }) => length)).toEqual([300_000, 300_000, null, 300_000]);
  expect(
    await outcomes([
      { op: 'patch', id: 'a', patch: { body: null } },
      put('c', { body: 'now' }),
      put('a', { body: long }),
    ]),
  ).toEqual(['updated', 'updated', 'updated']);
});

describe('a batch', () => {
  /** Reads everything except the times and the ids of media. */
  async function contentsOf(project: string) {
    const { rows } = await database.pool.query(
      `select id, type, title, description, body, author, url, published_at = created_at as "publishedWhenCreated", properties, origin, available, deleted,
              revision::int, status, steps,
              (select jsonb_agg(jsonb_build_array(m.position, m.kind, m.url, m.version) order by m.position) from item_media m where m.project_id = i.project_id and m.item_id = i.id) as media
         from items i where project_id = $1 order by id`,
      [project],
    );
    return rows;
  }

  function randomOperation(random: () => number): ItemOperation {
    const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
    const id = pick(['a', 'b', 'ё/ 🙂', 'd']);
    const media = (): MediumWrite[] =>
      Array.from({ length: Math.floor(random() * 4) }, () =>
        medium(pick(['image', 'video'] as const), pick(['x', 'y', 'z']), pick([null, '1'])),
      );
    const fields = {
      title: pick([null, 'T', 'U']),
      body: pick([null, 'B', 'C']),
      available: random() < 0.8,
      properties: pick([null, { a: 1, b: [2] }, { b: [2], a: -0 }]),
    };
    const kind = random();
    if (kind < 0.15) return { op: 'delete', id };
    if (kind < 0.25) return { op: 'reprocess', id, steps: pick([null, ['vision'], []] as const) };
    if (kind < 0.55)
      return {
        op: 'patch',
        id,
        patch: pick([
          { title: fields.title },
          { body: fields.body, author: 'x' },
          { media: media() },
          { publishedAt: pick([null, new Date('2026-01-02T03:04:05Z')]) },
          { properties: fields.properties },
        ]),
      };
    return {
      op: 'put',
      id,
      content: { ...textItem(fields), ...pick([{}, { type: 'mixed' as const, media: media() }]) },
    };
  }

  it.each([1, 2, 3, 4, 5, 6])('leaves the same result as its operations one by one (seed %i)', async (seed) => {
    const random = randomOf(seed);
    const other = await createTestProject(database.pool);
    for (let round = 0; round < 5; round += 1) {
      const operations = Array.from({ length: 14 }, () => randomOperation(random));
      const together = await apply(operations);
      const single = [];
      for (const operation of operations) single.push(...(await apply([operation], { projectId: other })));
      expect(together).toEqual(single);
      expect(await contentsOf(projectId)).toEqual(await contentsOf(other));
    }
  });

  it('handles 500 new items with any ids in a handful of statements', async () => {
    const ids = Array.from({ length: 500 }, (_, n) => `${'🙂'.repeat(n % 150)}/"{},\\ ${n}`);
    const client = await database.pool.connect();
    const counted: unknown[] = [];
    const query = client.query.bind(client);
    client.query = ((...parameters: Parameters<typeof query>) => {
      counted.push(parameters[0]);
      return query(...parameters);
    }) as typeof client.query;
    try {
      const { applyItemOperations } = await import('../../../db/items/applyOperations.ts');
      const results = await applyItemOperations(
        client,
        { projectId, origin: 'import', priority: PRIORITY.bulk, requestId: null },
        ids.map((id) => put(id, { properties: { a: 1 } })),
      );
      expect(results.map(({ id, outcome }) => `${outcome} ${id}`)).toEqual(ids.map((id) => `created ${id}`));
    } finally {
      client.query = query;
      client.release();
    }
    expect(counted.length).toBeLessThanOrEqual(6);
    const { rows } = await database.pool.query(
      `select count(*)::int as items, count(distinct origin) as origins, min(origin) as origin from items where project_id = $1`,
      [projectId],
    );
    expect(rows).toEqual([{ items: 500, origins: '1', origin: 'import' }]);
  });
});

describe('simultaneously', () => {
  const ids = Array.from({ length: 60 }, (_, n) => `id-${n}`);

  it('identical batches take effect once', async () => {
    const results = await Promise.all(Array.from({ length: 6 }, () => apply(ids.map((id) => put(id)))));
    expect(results.flat().filter(({ outcome }) => outcome === 'created')).toHaveLength(60);
    expect(results.flat().filter(({ outcome }) => outcome === 'unchanged')).toHaveLength(300);
    expect(await snapshot(database.pool, projectId, 'id-7')).toMatchObject({ revision: 1, outbox: 1 });
  });

  it('batches over the same ids in any order, new and known, never deadlock', async () => {
    const random = randomOf(7);
    const rounds = Array.from({ length: 5 }, (_, round) => round);
    for (const round of rounds) {
      const mine = [...ids, ...Array.from({ length: 60 }, (_, n) => `new-${round}-${n}`)];
      const batches = Array.from({ length: 8 }, (_, writer) =>
        shuffled(mine, random)
          .slice(0, 90)
          .map((id, place): ItemOperation =>
            place % 7 === 0 ? { op: 'delete', id } : put(id, { title: `by ${writer}` }),
          ),
      );
      await Promise.all(batches.map((operations) => apply(operations)));
    }
    const { rows } = await database.pool.query(
      `select count(*)::int as items from items where project_id = $1 and title like 'by %'`,
      [projectId],
    );
    expect(rows[0].items).toBeGreaterThan(60);
  });

  it("single writes and batches of one item keep each other's changes", async () => {
    await apply([put('one', { title: '0' })]);
    await Promise.all(
      Array.from({ length: 10 }, (_, n) => [
        apply([put('one', { title: `a${n}` }), put(`beside-${n}`)]),
        apply([{ op: 'patch', id: 'one', patch: { body: `b${n}` } }]),
      ]).flat(),
    );
    const { revision, steps } = await snapshot(database.pool, projectId, 'one');
    expect(revision).toBe(21);
    expect(plain(steps).summary).toBe('queued');
  });
});

describe('an item that came with an order', () => {
  const SKIPPED = { state: 'skipped', revision: 0, deferrals: 0, retryAt: null, error: null };

  beforeEach(async () => {
    await database.pool.query(
      `insert into items (project_id, id, type, title, published_at, origin, available, revision, status, steps, created_at, updated_at)
       values ($1, 'sold', 'mixed', 'Товар', now(), 'order', false, 0, 'ready', $2, now(), now())`,
      [projectId, { prepare: SKIPPED, speech: SKIPPED, vision: SKIPPED, summary: SKIPPED, embedding: SKIPPED }],
    );
  });
  const look = async () => {
    const { status, outbox, steps } = await snapshot(database.pool, projectId, 'sold');
    const { rows } = await database.pool.query('select origin, title from items where project_id = $1 and id = $2', [
      projectId,
      'sold',
    ]);
    return { status, outbox, summary: steps.summary.state, ...rows[0] };
  };

  it('is adopted by a PUT, even one with the same content, and analysed completely', async () => {
    const [result] = await apply(
      [{ op: 'put', id: 'sold', content: mediaItem('mixed', [], { title: 'Товар', available: false }) }],
      { origin: 'import' },
    );
    expect([result?.outcome, result?.head && plain(result.head.steps)]).toEqual([
      'updated',
      { prepare: 'queued', speech: 'queued', vision: 'queued', summary: 'queued', embedding: 'queued' },
    ]);
    expect(await look()).toEqual({ status: 'queued', outbox: 1, summary: 'queued', origin: 'import', title: 'Товар' });
  });

  it('sends webhooks from then on, and none before', async () => {
    await addSilentWebhook(database.pool, projectId);
    const analyst = new Analyst(database.pool, projectId);
    await apply([{ op: 'reprocess', id: 'sold', steps: null }]);
    await analyst.analyse('sold');
    expect(await snapshot(database.pool, projectId, 'sold')).toMatchObject({ status: 'ready', events: [] });
    await analyst.put('sold', mediaItem('mixed', [], { title: 'Товар' }));
    await analyst.analyse('sold');
    expect(await snapshot(database.pool, projectId, 'sold')).toMatchObject({
      status: 'ready',
      events: ['item.processed'],
    });
  });

  // proves: states/write-text
  it('is analysed when a PATCH changes its text, and sends no webhook about it', async () => {
    await addSilentWebhook(database.pool, projectId);
    await apply([{ op: 'patch', id: 'sold', patch: { title: 'Другой', available: true } }]);
    expect(await look()).toEqual({ status: 'queued', outbox: 1, summary: 'queued', origin: 'order', title: 'Другой' });
    await new Analyst(database.pool, projectId).analyse('sold');
    expect(await snapshot(database.pool, projectId, 'sold')).toMatchObject({ status: 'ready', events: [] });
  });

  it('is not analysed when a PATCH changes nothing that matters to the analysis', async () => {
    await apply([{ op: 'patch', id: 'sold', patch: { title: 'Товар', available: true, author: 'a' } }]);
    expect(await look()).toMatchObject({ status: 'ready', outbox: 0, summary: 'skipped', origin: 'order' });
  });

  it('is analysed when a reprocess requests it, and after later changes too', async () => {
    expect(await outcomes([{ op: 'reprocess', id: 'sold', steps: ['summary'] }])).toEqual(['queued']);
    expect(await look()).toMatchObject({ status: 'queued', outbox: 1, origin: 'order' });
    const { revision } = await snapshot(database.pool, projectId, 'sold');
    await apply([{ op: 'patch', id: 'sold', patch: { title: 'Другой' } }]);
    expect((await snapshot(database.pool, projectId, 'sold')).revision).toBe(revision + 1);
  });
});
