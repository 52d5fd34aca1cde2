import { describe, expect, it } from '@jest/globals';
import { expandRequest } from '../../../db/orders/expandOrders.ts';
import { insertSnapshots, type OutputSnapshot } from '../../../db/output/snapshots.ts';
import { newRecommendationId, readRecommendationId } from '../../../domain/output/recommendationId.ts';
import { eventually } from '../../support/eventually.ts';
import { stageOutput } from '../../output/support/outputStage.ts';
import { experimentOf, stageSurfaces } from '../../output/support/surfaces.ts';

const stage = stageOutput();
const surfaces = stageSurfaces(stage);

const DAY_MS = 86_400_000;
const today = () => new Date().toISOString().slice(0, 10);
const report = async (query = '') => surfaces.cabinet('GET', surfaces.of(`/output/report${query}`));
const similar = async (body: object) =>
  (await stage.call('POST', '/recommendations/similar', { item: 't-0', ...body })).body;
const addTrams = async (count: number) => {
  await stage.addItems(Array.from({ length: count }, (_, n) => ({ id: `t-${n}`, title: `Трамвай номер ${n}` })));
  await stage.followed();
};

let sent = 0;
async function send(events: readonly object[]) {
  const { body } = await stage.call('POST', '/events', {
    events: events.map((event) => ({ id: `e-${(sent += 1)}`, occurred_at: new Date().toISOString(), ...event })),
  });
  expect(body).toMatchObject({ accepted: events.length, rejected: [] });
}

/** Does the workflow's part. */
async function expandOrders() {
  const { pool } = stage.api;
  const { rows } = await pool.query<{ id: string }>('select id from order_requests where project_id = $1', [
    stage.project.id,
  ]);
  for (const { id } of rows) await expandRequest(pool, stage.project.id, id, 100);
}

const stored = (count: number) =>
  eventually(async () => {
    const { rows } = await stage.api.pool.query<{ count: number }>(
      'select count(*)::int as count from output_snapshots where project_id = $1',
      [stage.project.id],
    );
    return rows[0]?.count === count;
  }, `${count} snapshots`);

/** Returns what a new person draws in an experiment now. */
async function lotIn(experiment: string): Promise<OutputSnapshot['lot']> {
  const { rows } = await stage.api.pool.query<{ since: string }>(
    'select changed_at::text as since from output_experiments where project_id = $1 and id = $2',
    [stage.project.id, experiment],
  );
  return { since: rows[0]?.since ?? 'now', slot: (lots += 1), mark: 2 ** 33 };
}
let lots = 0;

/** Stores a past answer; returns its id. */
async function answered(data: Partial<OutputSnapshot>): Promise<string> {
  const [experiment = '', index] = (data.variant ?? '').split('.');
  const variant = data.variant ? { experiment, index: Number(index) } : null;
  const id = newRecommendationId({ mode: 'contextual', variant });
  const snapshot: OutputSnapshot = {
    projectId: stage.project.id,
    id,
    page: 0,
    path: 'similar',
    identityId: null,
    surface: null,
    mode: 'contextual',
    model: null,
    variant: null,
    lot: variant && (await lotIn(experiment)),
    itemIds: ['t-1', 't-2'],
    scores: [1, 0.5],
    reasons: [{ code: 'new' }, { code: 'new' }],
    firstPosition: 0,
    hasNext: false,
    propensities: null,
    latencyMs: 10,
    createdAt: new Date(),
    ...data,
  };
  await insertSnapshots(stage.api.pool, [snapshot]);
  return id;
}

describe('the report of output', () => {
  // proves: output-snapshots/without-snapshot, output-cabinet/report, output-cabinet/report-counts
  it('counts requests, impressions, opens, goals, purchases and revenue of answers', async () => {
    await addTrams(9);
    const [ann, bob] = [{ user_id: 'ann' }, { user_id: 'bob' }];
    await send([
      { type: 'view', item: 't-8', user: ann, value: 50 },
      { type: 'view', item: 't-8', user: bob, value: 50 },
    ]);
    const first = await similar({ surface: 'feed', user: ann, limit: 4 });
    const second = await similar({ surface: 'feed', user: ann, limit: 4, cursor: first.next_cursor });
    const other = await similar({ surface: 'feed', user: bob, limit: 4 });
    await similar({ surface: 'cart', limit: 1 });
    await stored(4);
    const [shown, later] = [first.items[0].id, second.items[2].id];
    const of = (id: string, user: object) => ({ recommendation_id: id, surface: 'feed', user });
    const ofFirst = of(first.recommendation_id, ann);
    await send([
      { type: 'impression', item: shown, position: 0, ...ofFirst },
      { type: 'impression', item: later, position: 6, ...ofFirst },
      { type: 'impression', item: shown, position: 0, ...of('of another system', ann) },
      { type: 'open', item: shown, ...ofFirst },
      { type: 'open', item: later, ...ofFirst },
      { type: 'purchase', item: shown, price: 100, quantity: 2, ...ofFirst },
      // An event outside of the answer, and one outside of any answer.
      { type: 'open', item: 't-0', ...ofFirst },
      { type: 'open', item: shown, user: bob },
    ]);
    // An order does not name an answer: it is attributed to the one from which the person opened the item. An item
    // that was not opened is attributed to none.
    const lines = [
      { item: later, price: 30, quantity: 1 },
      { item: other.items[1].id, price: 1_000 },
    ];
    await stage.call('POST', '/orders', { order_id: 'o-1', user: ann, items: lines });
    await stage.call('POST', '/orders', { order_id: 'o-2', user: bob, items: [{ item: later, price: 500 }] });
    await expandOrders();
    const { status, body } = await report('?group=surface');
    expect(status).toBe(200);
    expect(body).toMatchObject({ until: today(), group: ['surface'], experiments: [], warnings: [] });
    expect(body.rows).toMatchObject([
      { surface: 'cart', requests: 1, people: 1, impressions: 0, opens: 0, revenue: 0 },
      {
        surface: 'feed',
        requests: 3,
        people: 2,
        fallback_share: 0,
        impressions: 2,
        opens: 2,
        goals: 2,
        purchases: 2,
        revenue: 230,
        rates: { opens: { value: 2 / 3 }, purchases: { value: 2 / 3 }, revenue: { value: 230 / 3 } },
      },
    ]);
    expect(body.rows[1].latency_ms.p95).toBeGreaterThan(0);
    const positions = (await report('?group=position&surface=feed')).body.rows;
    expect(
      positions.map((row: Record<string, number>) => [
        row['position'],
        row['requests'],
        row['impressions'],
        row['opens'],
        row['revenue'],
      ]),
    ).toEqual([
      [0, 2, 1, 1, 200],
      [1, 2, 0, 0, 0],
      [2, 2, 0, 0, 0],
      [3, 2, 0, 0, 0],
      [4, 1, 0, 0, 0],
      [5, 1, 1, 1, 30],
    ]);
  });

  it('sums prices of any size', async () => {
    await addTrams(2);
    const user = { user_id: 'ann' };
    const { recommendation_id: id, items } = await similar({ surface: 'feed', user, limit: 1 });
    await stored(1);
    const bought = { type: 'purchase', item: items[0].id, recommendation_id: id, surface: 'feed', user };
    await send([
      { ...bought, price: 1e300, quantity: 1e300 },
      { ...bought, price: 1e300 },
      { ...bought, price: 5e-324, quantity: 0.1 },
    ]);
    const { status, body } = await report('?group=surface');
    expect(status).toBe(200);
    expect(body.rows).toMatchObject([{ purchases: 3 }]);
    expect(body.rows[0].revenue).toBeGreaterThan(1e100);
  });

  // proves: output-cabinet/report-counts
  it('counts events that are kept as states, as long as they are set', async () => {
    const id = await answered({});
    const type = { title: 'Нравится', mode: 'state', weight: 3, value_kind: 'none', is_goal: true };
    expect((await surfaces.cabinet('PUT', surfaces.of('/event-types/like'), type)).status).toBe(200);
    await addTrams(3);
    const like = (user: string, value: number) => ({
      type: 'like',
      item: 't-1',
      user: { user_id: user },
      value,
      recommendation_id: id,
    });
    await send([like('a', 1), like('b', 1)]);
    expect((await report()).body.rows).toMatchObject([{ requests: 1, goals: 2 }]);
    await send([like('b', 0)]);
    expect((await report()).body.rows).toMatchObject([{ requests: 1, goals: 1 }]);
  });

  // proves: output-cabinet/report-counts
  it('counts a purchase for the last answer that was opened, even if a filter leaves that answer out', async () => {
    await addTrams(3);
    const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);
    const user = { user_id: 'ann' };
    for (const [days, surface] of [
      [2, 'feed'],
      [1, 'cart'],
    ] as const) {
      const id = await answered({ surface, createdAt: daysAgo(days) });
      await send([
        { type: 'open', item: 't-1', user, recommendation_id: id, occurred_at: daysAgo(days - 0.5).toISOString() },
      ]);
    }
    await stage.call('POST', '/orders', { order_id: 'o-1', user, items: [{ item: 't-1', price: 30 }] });
    await expandOrders();
    const purchases = async (query: string) =>
      (await report(query)).body.rows.map((row: { purchases: number }) => row.purchases);
    expect(await purchases('?group=surface')).toEqual([1, 0]);
    expect(await purchases('?surface=cart')).toEqual([1]);
    expect(await purchases('?surface=feed')).toEqual([0]);
    const dayOf = daysAgo(2).toISOString().slice(0, 10);
    expect(await purchases(`?from=${dayOf}&until=${dayOf}`)).toEqual([0]);
  });

  // proves: output-cabinet/report, output-cabinet/report-counts
  it('separates days, and counts what happens within seven days of an answer', async () => {
    await addTrams(3);
    const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);
    const [old] = [
      await answered({ createdAt: daysAgo(20) }),
      await answered({ createdAt: daysAgo(12), mode: 'fallback' }),
    ];
    const open = { type: 'open', item: 't-1', recommendation_id: old };
    await send([
      { ...open, user: { user_id: 'a' }, occurred_at: daysAgo(14).toISOString() },
      { ...open, user: { user_id: 'b' }, occurred_at: daysAgo(12).toISOString() },
    ]);
    const days = [20, 12].map((days) => daysAgo(days).toISOString().slice(0, 10));
    const { body } = await report(`?group=day&from=${days[0]}`);
    expect(body.rows).toMatchObject([
      { day: days[0], requests: 1, opens: 1, fallback_share: 0 },
      { day: days[1], requests: 1, opens: 0, fallback_share: 1 },
    ]);
    expect((await report()).body.rows).toEqual([]);
    expect((await report(`?group=day&from=${days[0]}&until=${days[0]}`)).body.rows).toHaveLength(1);
  });

  // proves: output-cabinet/report
  it.each([
    ['from=2026-02-30', 'from'],
    ['until=yesterday', 'until'],
    ['from=2026-11-20&until=2026-11-19', 'from'],
    ['from=2026-01-01&until=2026-04-01', 'from'],
    ['group=hour', 'group[0]'],
    ['group=day,day', 'group'],
  ])('refuses ?%s', async (query, field) => {
    const { status, body } = await report(`?${query}`);
    expect([status, body.error.details[0].field]).toEqual([400, field]);
  });

  it("contains nothing about another project's answers", async () => {
    await answered({ projectId: 'another' });
    expect((await report()).body.rows).toEqual([]);
    expect((await surfaces.cabinet('GET', '/projects/zzzzzzzzzzzz/output/report')).status).toBe(404);
  });
});

describe('the report of an experiment', () => {
  const experiment = experimentOf([
    ['as it was', 0.5],
    ['longer', 0.5],
  ]);
  const codes = (body: { warnings: { code: string }[] }) => body.warnings.map(({ code }) => code);
  const people = (variant: string, count: number) =>
    Promise.all(Array.from({ length: count }, () => answered({ surface: 'feed', variant })));

  // proves: output-cabinet/report, output-cabinet/report-rates, output-cabinet/sample-warning
  it('compares its variants, and says that both learn from each other', async () => {
    await addTrams(3);
    await surfaces.putSurface('feed', { experiment });
    const [plain, longer] = [await people('e1.0', 40), await people('e1.1', 40)];
    const open = (id: string, n: number) => ({
      type: 'open',
      item: 't-1',
      user: { user_id: `u-${n}` },
      recommendation_id: id,
    });
    await send([...plain.slice(0, 4).map(open), ...longer.slice(0, 20).map(open)]);
    await send([
      { type: 'impression', item: 't-1', surface: 'feed', user: { user_id: 'u' }, recommendation_id: longer[0] },
    ]);
    const { body } = await report();
    expect(body.rows).toMatchObject([
      {
        surface: 'feed',
        variant: { experiment: 'e1', index: 0, name: 'as it was' },
        requests: 40,
        opens: 4,
        impressions: 0,
      },
      {
        surface: 'feed',
        variant: { experiment: 'e1', index: 1, name: 'longer' },
        requests: 40,
        opens: 20,
        impressions: 1,
      },
    ]);
    const [one] = body.experiments;
    expect(one).toMatchObject({
      id: 'e1',
      surface: 'feed',
      sample_ratio_p: 1,
      variants: [
        { name: 'as it was', share: 0.5, people: 40, requests: 40, rates: { opens: { value: 0.1 } }, difference: null },
        { name: 'longer', people: 40, rates: { opens: { value: 0.5 } }, difference: { opens: { value: 0.4 } } },
      ],
    });
    const { low, high } = one.variants[1].difference.opens;
    expect(low).toBeCloseTo(0.4 - 1.96 * Math.sqrt((0.09 + 0.25) / 39), 3);
    expect(high).toBeCloseTo(0.4 + 1.96 * Math.sqrt((0.09 + 0.25) / 39), 3);
    expect(codes(body)).toEqual(['shared_learning']);
  });

  // proves: output-cabinet/sample-ratio
  it('warns if the numbers of people do not match the shares', async () => {
    await surfaces.putSurface('feed', { experiment });
    await people('e1.0', 80);
    await people('e1.1', 30);
    const { body } = await report();
    expect(body.experiments[0].sample_ratio_p).toBeLessThan(0.001);
    expect(codes(body)).toEqual(['shared_learning', 'sample_ratio']);
  });

  // proves: output-cabinet/sample-ratio
  it('says that the shares were changed, and tests only the people who came since', async () => {
    await surfaces.putSurface('feed', { experiment });
    const before = new Date(Date.now() - 60_000);
    for (let n = 0; n < 60; n += 1) await answered({ surface: 'feed', variant: 'e1.0', createdAt: before });
    const changed = experimentOf([
      ['as it was', 0.2],
      ['longer', 0.8],
    ]);
    await surfaces.putSurface('feed', { experiment: changed });
    await people('e1.0', 4);
    await people('e1.1', 16);
    const { body } = await report();
    expect(body.experiments[0].variants.map(({ people: count }: { people: number }) => count)).toEqual([4, 16]);
    expect(codes(body)).toEqual(['shared_learning', 'experiment_changed']);
  });

  it('still names the variants after the experiment was removed', async () => {
    await surfaces.putSurface('feed', { experiment });
    await people('e1.1', 1);
    await surfaces.cabinet('DELETE', surfaces.of('/surfaces/feed'));
    expect((await report('?group=variant')).body.rows).toMatchObject([{ variant: { index: 1, name: 'longer' } }]);
  });

  // proves: output-snapshots/recommendation_id
  it('counts a real answer by the variant in its id', async () => {
    await addTrams(3);
    await surfaces.putSurface('feed', { experiment });
    const { recommendation_id: id } = await similar({ surface: 'feed', user: { user_id: 'u' } });
    await stored(1);
    const index = readRecommendationId(id)?.variant?.index;
    expect((await report()).body.rows).toMatchObject([{ surface: 'feed', variant: { experiment: 'e1', index } }]);
  });
});
