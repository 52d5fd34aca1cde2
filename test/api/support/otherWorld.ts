/**
 * The world of another owner. Its names and texts are unique, so any of them in an answer to somebody else is a
 * leak.
 */
import { nextBatchId, stageRows } from '../../../db/lake/batches.ts';
import { inTransaction } from '../../../db/pool.ts';
import { commitStaged } from '../../../reports/lake/commit/commitStaged.ts';
import type { TestDatabase } from '../../support/database.ts';
import { hitRow, NOON, visitRow, type TestLake } from '../../support/lake/lake.ts';
import { createWorld, storeRecording, type World } from './examples.ts';
import type { Answer, TestApi } from './testApi.ts';

/**
 * Suffix of every text of the other world; no request of the caller contains it. Lower case, because cities are
 * stored in lower case.
 */
export const MARK = '-qztheirs';

/** The names of the other world's things, all of which differ from those of the examples. */
export const THEIRS = {
  item: 'their-lesson',
  user: 'their-user',
  device: 'their-device',
  visitor: '7a2d3b8f-1c6e-4d66-8e1f-9b4a3c2d5e6f',
  goal: 'their_goal',
  eventType: 'their_type',
  property: 'their_level',
  surface: 'their-feed',
  event: '0b8e6b0e-7a53-4a4e-9a0b-2f3a5d1c9e77',
  order: 'their-order',
  transaction: 'their-transaction',
  conversion: 'their-conversion',
} as const;

/** Within an hour of the world's visit. */
export const VISIT_AT = '2026-11-20T09:00:00Z';

/** A report over everything of the other world in the lake, whose rows contain the mark. */
export const REPORT = {
  dimensions: ['page_path'],
  metrics: ['pageviews'],
  date_from: '2026-03-14',
  date_to: '2026-03-16',
} as const;

/** Creates a world with the names above through the APIs: one of each thing. */
export async function createOtherWorld(api: TestApi, database: TestDatabase, lake: TestLake): Promise<World> {
  const world = await createWorld(api, database, { ...THEIRS, mark: MARK });
  await database.pool.query('update projects set title = title || $2 where id = $1', [world.project.id, MARK]);
  await tellContent(world);
  await tellAnalytics(world);
  await storeRecording(world);
  await fillLake(world, lake);
  return world;
}

async function tellContent({ content, cabinet, project }: World): Promise<void> {
  const user = { user_id: THEIRS.user };
  const base = `/projects/${project.id}`;
  await told(cabinet('PUT', `${base}/event-types/${THEIRS.eventType}`, { ...FACT, title: `Подписка${MARK}` }));
  await told(cabinet('PUT', `${base}/properties/${THEIRS.property}`, { type: 'string', filterable: true }));
  const event = { id: THEIRS.event, type: 'open', item: THEIRS.item, user, surface: 'feed', position: 3 };
  const ofDevice = { type: 'open', item: THEIRS.item, user: { anonymous_id: THEIRS.device } };
  await told(content('POST', '/events', { events: [event, { ...ofDevice, id: `${THEIRS.event}-2` }] }));
  await told(content('POST', '/recommendations/similar', { item: THEIRS.item, user, surface: THEIRS.surface }));
  const lines = [{ item: THEIRS.item, quantity: 1, price: 1990, title: `Курс${MARK}` }];
  await told(content('POST', '/orders', { order_id: THEIRS.order, user, items: lines }));
}

const FACT = {
  mode: 'fact',
  value_kind: 'none',
  value_map: null,
  dedup_window_sec: 60,
  suppress_similar_days: 0,
  is_impression: false,
  is_open: false,
  is_goal: true,
  is_purchase: false,
  hides_item: false,
  is_active: true,
  weight: 5,
};

async function tellAnalytics({ analytics }: World): Promise<void> {
  const visitor_id = THEIRS.visitor;
  const occurred_at = VISIT_AT;
  const conversion = { id: THEIRS.conversion, goal: THEIRS.goal, visitor_id, occurred_at, value: 1500 };
  await told(analytics('POST', '/conversions', { conversions: [conversion] }));
  const products = [{ id: 'p-7', name: `Teapot${MARK}`, price: 100, qty: 1 }];
  const order = { transaction_id: THEIRS.transaction, visitor_id, occurred_at, revenue: 100, products };
  await told(analytics('POST', '/orders', { orders: [order] }));
  const user = { user_id: THEIRS.user, city: `Казань${MARK}`, params: { plan: `annual${MARK}` } };
  await told(analytics('POST', '/users', { users: [user] }));
  const attributes = { visitor_id, params: { plan: `annual${MARK}` } };
  await told(analytics('POST', '/visitors/attributes', { visitors: [attributes] }));
}

async function told(answer: Promise<Answer>): Promise<void> {
  const { status, body } = await answer;
  const text = JSON.stringify(body);
  if (status >= 300 || /"rejected":\[\{|"ok":false/.test(text)) throw new Error(`the other world: ${status} ${text}`);
}

async function fillLake({ database, paths }: World, { lake }: TestLake): Promise<void> {
  const site_id = paths['/sites/{id}'] ?? '';
  const of = { site_id, visitor_id: THEIRS.visitor };
  const visit = visitRow({ ...of, user_id: THEIRS.user, entry_path: `/a${MARK}`, exit_path: `/a${MARK}` });
  const hit = hitRow({ ...of, visit_id: visit.visit_id, at: NOON, page_path: `/a${MARK}`, page_title: MARK });
  await inTransaction(database.pool, async (client) =>
    stageRows(client, 1, await nextBatchId(client), { hits: [hit], visits: [visit] }),
  );
  await commitStaged(lake, database.pool, [1]);
}
