/**
 * Requests that name another world's things outside of the path, with the required outcome: nothing, an error for
 * the element, or a new row of the caller's own.
 */
import { ITEM_ID, USER_ID, VISITOR_ID } from './examples.ts';
import { REPORT, THEIRS, VISIT_AT } from './otherWorld.ts';

export interface Asked {
  api: 'content' | 'analytics' | 'cabinet';
  operationId: string;
  what: string;
  query?: Record<string, string>;
  body?: unknown;
  status: number;
  /** A part of the answer. */
  answer: object;
  /** The request creates a row of the caller's own by that name, so it runs after those that must find nothing. */
  makes?: true;
}

const EMPTY_PAGE = { status: 200, answer: { items: [], next_cursor: null } };
const NOT_FOUND = { ok: false, error: { code: 'not_found' } };
const UNKNOWN = { ok: false, error: { code: 'unknown_visitor' } };
const NO_ROWS = { status: 200, answer: { data: [] } };
const UNKNOWN_SEGMENT = { error: { details: [{ field: 'segment', code: 'unknown_segment' }] } };
const user = { user_id: THEIRS.user };
const device = { anonymous_id: THEIRS.device };
const me = { user_id: USER_ID };
const VARIANTS = ['как было', 'длинная'].map((name) => ({ name, share: 0.5 }));

const CONTENT: Omit<Asked, 'api'>[] = [
  { operationId: 'listItems', what: 'their item', query: { ids: THEIRS.item }, ...EMPTY_PAGE },
  {
    operationId: 'batchItems',
    what: 'their item',
    body: {
      operations: [
        { op: 'patch', id: THEIRS.item, data: { available: false } },
        { op: 'reprocess', id: THEIRS.item, data: {} },
        { op: 'delete', id: THEIRS.item },
      ],
    },
    status: 200,
    answer: { results: [NOT_FOUND, NOT_FOUND, NOT_FOUND] },
  },
  {
    operationId: 'batchItems',
    what: 'their item, to be put',
    body: { operations: [{ op: 'put', id: THEIRS.item, data: { type: 'text', title: 'Моё', body: 'Моё' } }] },
    status: 200,
    answer: { results: [{ ok: true }] },
    makes: true,
  },
  {
    operationId: 'postEvents',
    what: 'their item',
    body: { events: [{ id: 'e-1', type: 'open', item: THEIRS.item, user: me }] },
    status: 202,
    answer: { accepted: 0, rejected: [{ code: 'unknown_item' }] },
  },
  {
    operationId: 'postEvents',
    what: 'their event type',
    body: { events: [{ id: 'e-2', type: THEIRS.eventType, item: ITEM_ID, user: me }] },
    status: 202,
    answer: { accepted: 0, rejected: [{ code: 'unknown_type' }] },
  },
  {
    operationId: 'postEvents',
    what: "their event's id",
    body: { events: [{ id: THEIRS.event, type: 'open', item: ITEM_ID, user: me }] },
    status: 202,
    answer: { accepted: 1, duplicates: 0 },
    makes: true,
  },
  {
    operationId: 'postEvents',
    what: 'their user',
    body: { events: [{ id: 'e-3', type: 'share', item: ITEM_ID, user }] },
    status: 202,
    answer: { accepted: 1, duplicates: 0 },
    makes: true,
  },
  {
    operationId: 'postOrder',
    what: "their order's id, user and item",
    body: { order_id: THEIRS.order, user, items: [{ item: THEIRS.item, quantity: 1, price: 1 }] },
    status: 202,
    answer: { order_id: THEIRS.order },
    makes: true,
  },
  {
    operationId: 'postOrders',
    what: 'their order, to be cancelled',
    body: { orders: [{ order_id: THEIRS.order, user, status: 'cancelled' }] },
    status: 202,
    answer: { results: [{ ok: true, accepted: 0 }] },
    makes: true,
  },
  {
    operationId: 'recommendSimilar',
    what: 'their item',
    body: { item: THEIRS.item, user },
    status: 404,
    answer: {},
  },
  {
    operationId: 'recommendNext',
    what: 'their item',
    body: { items: [THEIRS.item], user },
    status: 404,
    answer: {},
  },
  {
    operationId: 'recommendTogether',
    what: 'their item',
    body: { items: [THEIRS.item], user },
    status: 404,
    answer: {},
  },
  {
    operationId: 'recommendPopular',
    what: 'their user',
    body: { user },
    status: 200,
    answer: { mode: 'fallback' },
  },
  {
    operationId: 'recommendFeed',
    what: 'their user',
    body: { user },
    status: 200,
    answer: { mode: 'fallback' },
  },
  {
    operationId: 'search',
    what: 'their user, item and a word of its title',
    body: { query: THEIRS.item, user, pins: [{ item: THEIRS.item, position: 0 }] },
    status: 200,
    answer: { mode: 'fallback', items: [], total: { value: 0 } },
  },
  {
    operationId: 'searchSuggest',
    what: 'their user',
    body: { query: THEIRS.item, user },
    status: 200,
    answer: { suggestions: [] },
  },
  { operationId: 'getProfile', what: 'their user', query: user, status: 404, answer: {} },
  { operationId: 'getProfile', what: 'their device', query: device, status: 404, answer: {} },
  { operationId: 'deleteUser', what: 'their user', body: { user }, status: 200, answer: { deleted: false } },
  { operationId: 'deleteUser', what: 'their device', body: { user: device }, status: 200, answer: { deleted: false } },
  {
    operationId: 'linkUser',
    what: 'their user and device',
    body: { ...user, ...device },
    status: 200,
    answer: { events_moved: 0 },
    makes: true,
  },
  {
    operationId: 'writeProfile',
    what: 'their user',
    body: { user, age: 20 },
    status: 200,
    answer: { updated_fields: ['birth_year'] },
    makes: true,
  },
  {
    operationId: 'writeProfiles',
    what: 'their user and device',
    body: {
      profiles: [
        { user, age: 21 },
        { user: device, age: 22 },
      ],
    },
    status: 200,
    answer: { results: [{ ok: true }, { ok: true }] },
    makes: true,
  },
];

const conversion = { id: 'c-1', goal: 'lead', visitor_id: VISITOR_ID, occurred_at: VISIT_AT };
const order = { transaction_id: 't-1', visitor_id: VISITOR_ID, occurred_at: VISIT_AT, revenue: 1 };

const ANALYTICS: Omit<Asked, 'api'>[] = [
  {
    operationId: 'postConversions',
    what: 'their visitor',
    body: { conversions: [{ ...conversion, visitor_id: THEIRS.visitor }] },
    status: 202,
    answer: { accepted: 0, rejected: [{ code: 'unknown_visitor' }] },
  },
  {
    operationId: 'postConversions',
    what: 'their user',
    body: { conversions: [{ id: 'c-2', goal: 'lead', ...user }] },
    status: 202,
    answer: { accepted: 0, rejected: [{ code: 'unknown_visitor' }] },
  },
  {
    operationId: 'postConversions',
    what: 'their goal',
    body: { conversions: [{ ...conversion, goal: THEIRS.goal }] },
    status: 202,
    answer: { accepted: 0, rejected: [{ code: 'unknown_goal' }] },
  },
  {
    operationId: 'postConversions',
    what: "their conversion's id",
    body: { conversions: [{ ...conversion, id: THEIRS.conversion }] },
    status: 202,
    answer: { accepted: 1, duplicates: 0 },
    makes: true,
  },
  {
    operationId: 'postOrders',
    what: 'their visitor and user',
    body: {
      orders: [
        { ...order, visitor_id: THEIRS.visitor },
        { transaction_id: 't-2', ...user, revenue: 1 },
      ],
    },
    status: 202,
    answer: { accepted: 0, rejected: [{ code: 'unknown_visitor' }, { code: 'unknown_visitor' }] },
  },
  {
    operationId: 'postOrders',
    what: "their transaction's id",
    body: { orders: [{ ...order, transaction_id: THEIRS.transaction }] },
    status: 202,
    answer: { accepted: 1, duplicates: 0 },
    makes: true,
  },
  { operationId: 'postReports', what: 'a time when only they had visits', body: REPORT, ...NO_ROWS },
  {
    operationId: 'postVisitorAttributes',
    what: 'their visitor and user',
    body: { visitors: [{ visitor_id: THEIRS.visitor }, user] },
    status: 200,
    answer: { results: [UNKNOWN, UNKNOWN] },
  },
  {
    operationId: 'postUsers',
    what: 'their user',
    body: { users: [{ ...user, age: 20 }] },
    status: 202,
    answer: {},
    makes: true,
  },
];

/** Ids that only the running world knows are in braces. */
const CABINET: Omit<Asked, 'api'>[] = [
  { operationId: 'listProjectItems', what: 'their item', query: { ids: THEIRS.item }, ...EMPTY_PAGE },
  ...['project', 'site', 'user'].map((name) => ({
    operationId: 'listAudit',
    what: `their ${name}`,
    query: { [name]: `{${name}}` },
    ...EMPTY_PAGE,
  })),
  ...[user, device, { item: THEIRS.item }].map((query) => ({
    operationId: 'listProjectEvents',
    what: `their ${Object.keys(query).join()}`,
    query,
    ...EMPTY_PAGE,
  })),
  { operationId: 'listProjectItems', what: 'their item', query: { q: THEIRS.item }, ...EMPTY_PAGE },
  { operationId: 'listDeliveries', what: 'their item', query: { item: THEIRS.item }, ...EMPTY_PAGE },
  { operationId: 'listRecordings', what: 'their visitor', query: { visitor: '{recorded}' }, ...EMPTY_PAGE },
  { operationId: 'listRecordings', what: 'their visit', query: { visit: '{visit}' }, ...EMPTY_PAGE },
  {
    operationId: 'listRecordings',
    what: 'their segment',
    query: { segment: '{segment}' },
    status: 400,
    answer: UNKNOWN_SEGMENT,
  },
  { operationId: 'listRecordings', what: 'their goal', query: { goal: THEIRS.goal }, ...EMPTY_PAGE },
  {
    operationId: 'previewOutput',
    what: 'their item',
    body: { path: 'similar', request: { item: THEIRS.item, user } },
    status: 404,
    answer: {},
  },
  {
    operationId: 'findObstacles',
    what: 'their item',
    body: { item: THEIRS.item, path: 'feed', request: { user } },
    status: 200,
    answer: { state: 'kept_out', obstacles: [{ code: 'unknown', value: null }] },
  },
  {
    operationId: 'reportOutput',
    what: 'their surface',
    query: { surface: THEIRS.surface },
    status: 200,
    answer: { rows: [], experiments: [] },
  },
  {
    operationId: 'putSurface',
    what: 'their experiment',
    body: { experiment: { id: 'first', from: '2026-11-20T00:00:00Z', variants: VARIANTS } },
    status: 200,
    answer: { experiment: { id: 'first' } },
    makes: true,
  },
  { operationId: 'postReport', what: 'a time when only they had visits', body: REPORT, ...NO_ROWS },
  {
    operationId: 'postReportBatch',
    what: 'a time when only they had visits',
    body: { reports: [REPORT] },
    status: 200,
    answer: [{ index: 0, report: { data: [] }, error: null }],
  },
  ...['getClicks', 'getScrolls'].flatMap((operationId) => [
    {
      operationId,
      what: 'their segment',
      query: { page: 'https://shop.example/', segment: '{segment}' },
      status: 400,
      answer: UNKNOWN_SEGMENT,
    },
    {
      operationId,
      what: 'a time when only they had visits',
      query: { page: 'https://shop.example/', date_from: REPORT.date_from, date_to: REPORT.date_to },
      status: 200,
      answer: { views: 0 },
    },
  ]),
  {
    operationId: 'createMapLink',
    what: 'their segment',
    body: { page: 'https://shop.example/', segment: '{segment}' },
    status: 422,
    answer: UNKNOWN_SEGMENT,
  },
  ...['project', 'site'].flatMap((name) => [
    {
      operationId: 'createUser',
      what: `their ${name}`,
      body: { email: 'x@example.com', role: 'viewer', [`${name}s`]: [`{${name}}`] },
      status: 422,
      answer: {},
    },
    {
      operationId: 'patchUser',
      what: `their ${name}`,
      body: { [`${name}s`]: [`{${name}}`] },
      status: 422,
      answer: {},
    },
  ]),
  { operationId: 'patchProject', what: 'their site', body: { site_id: '{site}' }, status: 422, answer: {} },
];

export const ASKED: Asked[] = [
  ...CONTENT.map((asked) => ({ api: 'content' as const, ...asked })),
  ...ANALYTICS.map((asked) => ({ api: 'analytics' as const, ...asked })),
  ...CABINET.map((asked) => ({ api: 'cabinet' as const, ...asked })),
];
