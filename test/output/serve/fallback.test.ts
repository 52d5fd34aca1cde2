import { describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { stageOutput } from '../support/outputStage.ts';

const stage = stageOutput({ deadlineMs: 0, statementTimeoutMs: 10_000 });

const similar = (body: object) => stage.call('POST', '/recommendations/similar', { item: 'subject', ...body });
const idsOf = (body: { items: { id: string }[] }) => body.items.map(({ id }) => id);
const day = (n: number) => `2026-11-${String(n).padStart(2, '0')}T00:00:00Z`;

describe('an answer without selection', () => {
  // proves: output-answer/mode-fallback, output-limits/no-deadline
  it('says that it is a fallback, and returns the newest items', async () => {
    await stage.addItems([
      { id: 'subject', title: 'Предмет', published_at: day(20) },
      { id: 'old', title: 'Старое', published_at: day(1) },
      { id: 'new', title: 'Новое', published_at: day(10) },
    ]);
    const { status, body } = await similar({});
    expect(status).toBe(200);
    expect(body).toMatchObject({ mode: 'fallback', model: null });
    expect(idsOf(body)).toEqual(['new', 'old']);
    expect(body.items[0].reason).toEqual({ code: 'new' });
  });

  // proves: output-answer/other-trouble
  it('returns the newest items if popularity cannot be read in time', async () => {
    await stage.addItems([
      { id: 'subject', title: 'Предмет' },
      { id: 'new', title: 'Новое' },
    ]);
    const holder = await stage.database.pool.connect();
    try {
      await holder.query('begin; set local idle_in_transaction_session_timeout = 0');
      await holder.query('lock table item_popularity in access exclusive mode');
      const { status, body } = await similar({});
      expect(status).toBe(200);
      expect(idsOf(body)).toEqual(['new']);
    } finally {
      holder.release(true);
    }
  });

  // proves: output-request/standard-filters, output-answer/no-padding, output-small/published
  it('respects every rule, and is never filled up with items that break one', async () => {
    await stage.call('PUT', '/items/subject', { type: 'text', title: 'Предмет' });
    await stage.api.pool.query(
      `insert into item_properties (project_id, name, type, filterable) values ($1, 'level', 'number', true)`,
      [stage.project.id],
    );
    await stage.addItems([
      { id: 'fits', title: 'Подходит', author: 'a', published_at: day(10), properties: { level: 3 }, ageRating: '6+' },
      { id: 'other-author', title: 'Другой автор', author: 'b', published_at: day(10), properties: { level: 3 } },
      { id: 'too-old', title: 'Раньше', author: 'a', published_at: day(1), properties: { level: 3 }, ageRating: '6+' },
      { id: 'level', title: 'Уровень', author: 'a', published_at: day(10), properties: { level: 1 }, ageRating: '6+' },
      {
        id: 'rated',
        title: 'Взрослым',
        author: 'a',
        published_at: day(10),
        properties: { level: 3 },
        ageRating: '18+',
      },
      { id: 'unrated', title: 'Без рейтинга', author: 'a', published_at: day(10), properties: { level: 3 } },
      { id: 'away', title: 'Нет', author: 'a', published_at: day(10), properties: { level: 3 }, available: false },
      {
        id: 'excluded',
        title: 'Исключён',
        author: 'a',
        published_at: day(10),
        properties: { level: 3 },
        ageRating: '0+',
      },
    ]);
    const { body } = await similar({
      authors: ['a'],
      published_after: day(10),
      published_before: day(11),
      max_age_rating: '12+',
      exclude: ['excluded'],
      filters: [{ property: 'level', op: 'gte', value: 2 }],
    });
    expect(idsOf(body)).toEqual(['fits']);
  });

  // proves: output-request/include_seen
  it('leaves out what the person has seen, on request', async () => {
    await stage.addItems([
      { id: 'subject', title: 'Предмет' },
      { id: 'seen', title: 'Видели' },
      { id: 'unseen', title: 'Не видели' },
    ]);
    const user = { anonymous_id: 'a-1' };
    await stage.call('POST', '/events', {
      events: [{ id: 'e-1', type: 'open', item: 'seen', user, occurred_at: new Date().toISOString() }],
    });
    expect(idsOf((await similar({ user })).body).sort()).toEqual(['seen', 'unseen']);
    expect(idsOf((await similar({ user, include_seen: false })).body)).toEqual(['unseen']);
  });
});

describe('the fallback list', () => {
  // proves: output-answer/popular-new
  it('begins with what was popular within a week', async () => {
    await stage.addItems([
      { id: 'subject', title: 'Предмет', published_at: day(20) },
      { id: 'new', title: 'Новое', published_at: day(19) },
      { id: 'liked', title: 'Нравится', published_at: day(1) },
      { id: 'opened', title: 'Открывали', published_at: day(2) },
      { id: 'once', title: 'Когда-то', published_at: day(3) },
    ]);
    await stage.send([
      { who: 'u-1', item: 'liked', type: 'like' },
      { who: 'u-1', item: 'opened', daysAgo: 3 },
      { who: 'u-1', item: 'once', type: 'like', daysAgo: 20 },
    ]);
    await stage.counted();
    const reasons = ({ body }: { body: { items: { id: string; reason: { code: string } }[] } }) =>
      body.items.map(({ id, reason }) => [id, reason.code]);
    const explained = (await similar({ explain: true })).body.items;
    expect(explained[0].explain).toEqual({ parts: { popularity: explained[0].score } });
    expect(explained[2].explain).toEqual({ published_at: expect.any(String) });
    expect(reasons(await similar({}))).toEqual([
      ['liked', 'popular'],
      ['opened', 'popular'],
      ['new', 'new'],
      ['once', 'new'],
    ]);
    expect(reasons(await similar({ published_after: day(2) })).map(([id]) => id)).toEqual(['opened', 'new', 'once']);
  });

  // proves: output-request/boosts
  it('is boosted like a ranking', async () => {
    await stage.api.pool.query(
      `insert into item_properties (project_id, name, type, filterable) values ($1, 'level', 'number', true)`,
      [stage.project.id],
    );
    await stage.addItems([
      { id: 'subject', title: 'Предмет', published_at: day(20) },
      { id: 'new', title: 'Новое', published_at: day(19), properties: { level: 1 } },
      { id: 'old', title: 'Старое', published_at: day(1), properties: { level: 2 } },
    ]);
    const boosts = [{ filter: { property: 'level', op: 'gte', value: 2 }, factor: 10 }];
    const { body } = await similar({ boosts, explain: true });
    expect(idsOf(body)).toEqual(['old', 'new']);
    expect(body.items.map(({ explain }: { explain: { factor?: number } }) => explain.factor)).toEqual([10, undefined]);
  });

  const addRows = (count: number, data: { status?: string; author?: string; type?: string; from?: string }) => {
    const { status = 'ready', author = 'loud', type = 'text', from = day(2) } = data;
    return stage.api.pool.query(
      `insert into items (project_id, id, type, author, status, published_at, origin, available, revision, steps, created_at, updated_at)
       select $1, $3 || n || $4, $4, $3, $5, $6::timestamptz + n * interval '1 second', 'api', true, 1, '{}', now(), now()
         from generate_series(1, $2::int) n`,
      [stage.project.id, count, author, type, status, from],
    );
  };

  // proves: output-shown/eligible
  it('finds items that are older than hundreds of failed ones', async () => {
    await stage.addItems([{ id: 'subject', title: 'Предмет', published_at: day(20) }]);
    await addRows(600, { status: 'failed', from: day(10) });
    await addRows(1, { author: 'old', from: day(1) });
    expect(idsOf((await similar({})).body)).toEqual(['old1text']);
  });

  it('has pages too, and repeats a page that is requested again', async () => {
    await stage.addItems([{ id: 'subject', title: 'Предмет', published_at: day(20) }]);
    await addRows(30, { from: day(10) });
    const first = (await similar({ limit: 12 })).body;
    const second = (await similar({ limit: 12, cursor: first.next_cursor })).body;
    await eventually(async () => {
      const { rows } = await stage.api.pool.query('select from output_snapshots where project_id = $1', [
        stage.project.id,
      ]);
      return rows.length === 2;
    }, 'both snapshots');
    expect((await similar({ limit: 12, cursor: first.next_cursor })).body).toEqual(second);
    const third = (await similar({ limit: 12, cursor: second.next_cursor })).body;
    expect([first, second, third].map(({ items }) => items.length)).toEqual([12, 12, 6]);
    expect(new Set([first, second, third].flatMap(idsOf)).size).toBe(30);
    expect(third.next_cursor).toBeNull();
  });

  // proves: output-request/standard-filters
  it('is built again if conditions leave too little of it', async () => {
    await stage.addItems([{ id: 'subject', title: 'Предмет', published_at: day(20) }]);
    await addRows(600, { from: day(10) });
    await addRows(3, { author: 'quiet', from: day(1) });
    await addRows(2, { author: 'loud', type: 'video', from: day(3) });
    expect(idsOf((await similar({ authors: ['quiet'], limit: 2 })).body)).toEqual(['quiet3text', 'quiet2text']);
    expect(idsOf((await similar({ types: ['video'] })).body)).toEqual(['loud2video', 'loud1video']);
    expect(idsOf((await similar({ published_before: day(2) })).body)).toEqual([
      'quiet3text',
      'quiet2text',
      'quiet1text',
    ]);
    const twice = idsOf((await similar({ authors: ['quiet', 'quiet'] })).body);
    expect(twice).toEqual(['quiet3text', 'quiet2text', 'quiet1text']);
    const both = { authors: ['quiet', 'loud'], types: ['video'] };
    expect(idsOf((await similar(both)).body)).toEqual(['loud2video', 'loud1video']);
    expect((await similar({ ...both, explain: true })).body.items[0].explain).toEqual({
      published_at: '2026-11-03T00:00:02.000Z',
    });
  });
});

describe('a filter', () => {
  // proves: errors/unknown_filter, output-request/unknown_filter, output-small/ops-by-type
  it('is refused if the property is not declared filterable, or the condition does not fit its type', async () => {
    await stage.addItems([{ id: 'subject', title: 'Предмет' }]);
    await stage.api.pool.query(
      `insert into item_properties (project_id, name, type, filterable) values ($1, 'tags', 'string_array', true), ($1, 'inner', 'string', false)`,
      [stage.project.id],
    );
    const { status, body } = await similar({
      filters: [
        { property: 'inner', op: 'eq', value: 'a' },
        { property: 'unknown', op: 'eq', value: 'a' },
        { property: 'tags', op: 'eq', value: 'a' },
        { property: 'tags', op: 'contains_any', value: 'a' },
      ],
    });
    expect(status).toBe(422);
    expect(body.error.details.map(({ field, code }: { field: string; code: string }) => [field, code])).toEqual([
      ['filters[0].property', 'unknown_filter'],
      ['filters[1].property', 'unknown_filter'],
      ['filters[2].op', 'unknown_filter'],
      ['filters[3].value', 'invalid_type'],
    ]);
  });
});

describe('the snapshot of an answer', () => {
  const snapshots = async () =>
    (
      await stage.api.pool.query<{ id: string; page: number; identityId: string | null; itemIds: string[] }>(
        `select id, page, identity_id as "identityId", item_ids as "itemIds" from output_snapshots where project_id = $1 order by created_at, page`,
        [stage.project.id],
      )
    ).rows;

  // proves: output-shown/personalization-snapshot, output-snapshots/snapshot
  it('names its person, unless the person does not want personalization', async () => {
    await stage.addItems([
      { id: 'subject', title: 'Предмет' },
      { id: 'one', title: 'Один' },
    ]);
    await stage.call('POST', '/users/profile', { user: { user_id: 'u-1' }, city: 'Казань' });
    await stage.call('POST', '/users/profile', { user: { user_id: 'u-2' }, personalization: false });
    const { body } = await similar({ user: { user_id: 'u-1' } });
    await similar({ user: { user_id: 'u-2' } });
    await similar({ user: { user_id: 'stranger' } });
    const stored = await eventually(async () => {
      const rows = await snapshots();
      return rows.length === 3 ? rows : null;
    }, 'three snapshots');
    expect(stored[0]).toMatchObject({ id: body.recommendation_id, page: 0, itemIds: ['one'] });
    expect(stored.map(({ identityId }) => identityId !== null)).toEqual([true, false, false]);
    const { rows } = await stage.api.pool.query(
      `select 1 from identities where project_id = $1 and external_id = 'stranger'`,
      [stage.project.id],
    );
    expect(rows).toEqual([]);
  });
});
