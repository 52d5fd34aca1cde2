import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { endMediumStep } from '../../../db/analysis/mediaSteps.ts';
import { planItem } from '../../../db/analysis/plan.ts';
import { startStep } from '../../../db/analysis/steps.ts';
import { readItem } from '../../../db/items/readItem.ts';
import { findItems, searchItems, type ItemSearch } from '../../../db/items/cabinetList.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { Analyst, mediaItem, medium } from '../../support/items/items.ts';
import { createTestProject } from '../../support/project.ts';
import { withoutTriggers } from '../../support/unstamped.ts';

const ALL: ItemSearch = {
  status: null,
  type: null,
  origin: null,
  available: null,
  deleted: null,
  moderation: null,
  step: null,
  code: null,
  text: null,
  before: null,
  limit: 10,
};

let database: TestDatabase;
let projectId: string;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  projectId = await createTestProject(database.pool);
});

/** Adds items 1 to `count`, the last one changed last; every `oneIn`th is partial with a failed summary. */
async function addItems(count: number, oneIn: number): Promise<void> {
  await database.pool.query(
    `insert into items (project_id, id, type, title, published_at, origin, available, revision, status, steps, created_at, updated_at)
     select $1, 'i' || n, 'text', 'Урок ' || n, now(), 'api', true, 1, case when n % $3 = 0 then 'partial' else 'ready' end,
            (select jsonb_object_agg(step, jsonb_build_object('state', case when n % $3 = 0 and step = 'summary' then 'failed' else 'done' end, 'revision', 1, 'error', null))
               from unnest('{prepare,speech,vision,summary,embedding}'::text[]) as s (step)),
            now(), now()
       from generate_series(1, $2::int) n`,
    [projectId, count, oneIn],
  );
  await withoutTriggers(
    database.pool,
    `update items set updated_at = '2026-11-01'::timestamptz + substr(id, 2)::int / 3 * interval '1 second' where project_id = $1`,
    [projectId],
  );
}

/** Stores a moderation level for every `oneIn`th item. */
async function judge(oneIn: number, level: string): Promise<void> {
  await database.pool.query(
    `insert into item_moderations (project_id, item_id, moderation, provenance, revision)
     select project_id, id, jsonb_build_object('level', $3::text), '{}', 1 from items where project_id = $1 and substr(id, 2)::int % $2 = 0`,
    [projectId, oneIn, level],
  );
}

/** Returns the ids of each page, to the last one. */
async function walk(search: Partial<ItemSearch>, maxExamined: number): Promise<string[][]> {
  const pages: string[][] = [];
  let before = ALL.before;
  do {
    const page = await searchItems(database.pool, projectId, { ...ALL, ...search, before }, maxExamined);
    pages.push(page.items.map(({ id }) => id));
    before = page.next;
  } while (before !== null);
  return pages;
}

describe('a search that few items match', () => {
  it.each([{ step: 'summary' }, { status: 'partial' }, { text: '7 урок' }, { moderation: 'high' }] as const)(
    'finds each once, however few it examines for a page: %j',
    async (search) => {
      await addItems(300, 7);
      await judge(7, 'high');
      const whole = await walk(search, 1_000);
      for (const maxExamined of [1, 13, 300]) expect((await walk(search, maxExamined)).flat()).toEqual(whole.flat());
      expect(whole.flat().length).toBeGreaterThan(10);
      expect(whole.slice(0, -1).every((page) => page.length === 10)).toBe(true);
    },
  );

  it('continues after the examined items, across empty pages', async () => {
    await addItems(50, 50);
    await database.pool.query(`update items set title = 'Глаголы' where project_id = $1 and id = 'i1'`, [projectId]);
    await withoutTriggers(
      database.pool,
      `update items set updated_at = '2026-10-01' where project_id = $1 and id = 'i1'`,
      [projectId],
    );
    expect(await walk({ text: 'глаголы' }, 20)).toEqual([[], [], ['i1']]);
    expect(await walk({ step: 'summary' }, 20)).toEqual([['i50']]);
    expect(await walk({ step: 'vision' }, 20)).toEqual([[]]);
  });

  it('ends only with the last item if there is no filter', async () => {
    await addItems(25, 5);
    expect((await walk({}, 1)).map((page) => page.length)).toEqual([10, 10, 5]);
  });
});

describe('a search', () => {
  const ids = async (search: Partial<ItemSearch>) => (await walk(search, 1_000)).flat();

  it('filters by type, origin, visibility, deletion and moderation', async () => {
    await addItems(6, 100);
    await database.pool.query(
      `update items set type = case id when 'i1' then 'video' else type end, origin = case id when 'i2' then 'import' else origin end,
              available = id not in ('i3', 'i4'), deleted = id in ('i4', 'i5') where project_id = $1`,
      [projectId],
    );
    await judge(6, 'low');
    expect(await ids({ type: 'video' })).toEqual(['i1']);
    expect(await ids({ origin: 'import' })).toEqual(['i2']);
    expect((await ids({ available: true })).sort()).toEqual(['i1', 'i2', 'i6']);
    expect(await ids({ available: false })).toEqual(['i3']);
    expect((await ids({ deleted: true })).sort()).toEqual(['i4', 'i5']);
    expect(await ids({ moderation: 'low' })).toEqual(['i6']);
    expect(await ids({ moderation: 'unknown', deleted: true })).toHaveLength(2);
    expect(await ids({ moderation: 'none' })).toEqual([]);
  });
});

it('an item in a search shows its picture, age rating and moderation', async () => {
  const analyst = new Analyst(database.pool, projectId);
  await analyst.put('v', mediaItem('video', [medium('video', 'a.mp4')]));
  await analyst.analyse('v');
  await database.pool.query(
    `update item_summaries set summary = summary || '{"age_rating": "12+"}' where project_id = $1`,
    [projectId],
  );
  const [found] = (await searchItems(database.pool, projectId, ALL)).items;
  const { rows } = await database.pool.query<{ key: string }>(
    'select blob_key as key from item_frames where project_id = $1 order by flat, ts limit 1',
    [projectId],
  );
  expect(rows).toHaveLength(1);
  expect(found).toMatchObject({ thumbKey: rows[0]?.key, ageRating: '12+', moderationLevel: null });
  expect(await findItems(database.pool, projectId, ['v', 'nothing'])).toEqual([found]);
});

it('an item in a search shows its own errors and those of its media', async () => {
  const analyst = new Analyst(database.pool, projectId);
  await analyst.put('v', mediaItem('image', [medium('image', 'bad')]));
  const ref = { projectId, itemId: 'v' };
  const [mediumId = ''] = (await planItem(database.pool, ref, {}))?.todo.prepare ?? [];
  const work = { ...ref, step: 'prepare' as const, revision: 1 };
  await startStep(database.pool, work);
  await endMediumStep(database.pool, { ...work, mediumId }, 'failed', { code: 'media_not_found', message: 'нет' });
  await analyst.analyse('v');
  const [found] = (await searchItems(database.pool, projectId, ALL)).items;
  expect(found?.errors).toMatchObject({ prepare: { code: 'media_not_found', message: 'нет', media_position: 0 } });
  expect(found?.errors).toEqual(
    (await readItem(database.pool, projectId, 'v', { transcript: false, frames: false, searchChunks: false }))
      ?.processingErrors,
  );
});

it('the few items that have stopped are found through their own index', async () => {
  await addItems(20_000, 2_000);
  await database.pool.query('vacuum analyze items');
  const plans: string[] = [];
  const explain = {
    query: async (text: string, values: unknown[]) => {
      const { rows } = await database.pool.query<Record<'QUERY PLAN', string>>(
        `explain (analyze, buffers) ${text}`,
        values,
      );
      plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
      return { rows: [] };
    },
  };
  await searchItems(explain as never, projectId, { ...ALL, step: 'summary' });
  expect(plans.join('\n')).toContain('items_stopped');
  expect(plans.join('\n')).not.toContain('items_by_update');
});
