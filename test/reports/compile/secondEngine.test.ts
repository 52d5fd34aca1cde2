/** A second engine needs a dialect, and no entry of the registry has to change. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  compileClicks,
  compileRecordedVisits,
  compileRefundedFrom,
  compileReport,
  compileScrolls,
  type CompileContext,
} from '../../../reports/compile/index.ts';
import { METRICS } from '../../../reports/registry/index.ts';
import type { ReportRequest, Segment } from '../../../reports/reportRequest.ts';
import type { Dialect } from '../../../reports/sql/index.ts';
import { deckOf } from '../oracle/deck.ts';
import { randomWorld } from '../oracle/world/worlds.ts';
import { macros, OTHER, OTHER_FUNCTIONS } from '../support/otherDialect.ts';
import { createWorld, SITE, type Prologue, type World } from './world.ts';

const RANDOM = randomWorld(1_009, new Date());
const DECK = deckOf(RANDOM.day);
const [FIRST_OF_DECK] = DECK;
if (FIRST_OF_DECK === undefined) throw new Error('the deck is empty');
const BARE: ReportRequest = { ...FIRST_OF_DECK, dimensions: [], metrics: ['visits'] };

const SEGMENT: Segment = {
  scope: 'visitor',
  condition: {
    any: [
      { dimension: 'page_url', op: 'contains', values: ['shop'] },
      { dimension: 'gender', op: 'neq', values: ['male'] },
      { dimension: 'hour', op: 'regex', values: ['T1'] },
      { not: { metric: 'pageviews', op: 'gt', value: 3 } },
      {
        all: [
          { metric: 'conversions', op: 'gte', value: 1 },
          { dimension: 'country', op: 'in', values: ['RU', 'DE'] },
        ],
      },
    ],
  },
};

/** The deck uses every identifier. */
const REQUESTS: readonly ReportRequest[] = [
  ...DECK,
  { ...BARE, metrics: ['visits', 'people', 'orders'], segment: SEGMENT },
  { ...BARE, metrics: ['orders'], dimensions: ['hour'], segment: { ...SEGMENT, scope: 'visit' }, robots: 'only' },
  {
    ...BARE,
    dimensions: ['page_path', 'goal'],
    metrics: ['pageviews', 'users', 'conversion_rate'],
    filters: [
      { dimension: 'page_url', op: 'in', values: ['https://пример.рф/a?b', 'https://shop.example/'] },
      { dimension: 'age_group', op: 'neq', values: ['18-24'] },
    ],
    robots: 'exclude',
  },
];

/** Each metric alone: a single one is computed in other passes than several together. */
const SINGLES: readonly ReportRequest[] = METRICS.filter(({ isByAttribute }) => !isByAttribute).map(({ id }) => ({
  ...BARE,
  metrics: [id],
}));

describe('what is compiled for a second engine', () => {
  /** Quotes of its own, which DuckDB would not read. */
  const QUOTING: Dialect = { ...OTHER, name: (column) => `\`${column}\`` };
  const CONTEXT: CompileContext = {
    dialect: QUOTING,
    site: SITE,
    snapshot: 7,
    hasFresh: true,
    hasLeftOut: true,
    refundedFrom: Date.UTC(2020, 0, 1),
    sampled: true,
    lateEventHours: 24,
    audienceMinPeople: 10,
  };
  const days = { date_from: BARE.date_from, date_to: BARE.date_to, segment: SEGMENT };
  const page = { ...days, page: 'https://shop.example/', device: 'mobile' };
  const refunded = compileRefundedFrom({ ...BARE, metrics: ['orders'] }, SITE, 7, QUOTING);
  if (refunded === null) throw new Error('the request counts no refunds');
  const compiled = [
    ...[...REQUESTS, ...SINGLES].map((request) => compileReport(request, CONTEXT)),
    ...[...REQUESTS, ...SINGLES].map((request) =>
      compileReport(request, { ...CONTEXT, sampled: false, hasFresh: false }),
    ),
    compileClicks(page, CONTEXT),
    compileScrolls(page, CONTEXT),
    compileRecordedVisits(days, CONTEXT),
    refunded,
  ];
  /** Functions that all engines have, and words that may stand before a bracket. */
  const COMMON =
    'coalesce nullif least greatest round floor replace sum count min max lag lead row_number over filter select from join on where and or not in as case when then else end all by distinct';
  const known = new Set([...COMMON.split(' '), ...OTHER_FUNCTIONS]);

  it('calls only functions that all engines have or that the dialect defines', () => {
    for (const { sql } of compiled) {
      const bare = sql.replaceAll(/'[^']*'/g, `''`);
      const called = [...bare.matchAll(/\b([a-z_]\w*)\s*\(/gi)].map(([, name = '']) => name);
      expect(called.filter((name) => !known.has(name))).toEqual([]);
      expect(bare.match(/::|[[\]{}]|group by all/g)).toBeNull();
    }
  });

  it('has the placeholders and quotes of the dialect', () => {
    for (const { sql, params } of compiled) {
      const bare = sql.replaceAll(/'[^']*'/g, '');
      expect(bare).not.toMatch(/\$\d|"|(?<!`)\bat\b/);
      const numbers = new Set([...bare.matchAll(/\?(\d+)/g)].map(([, number]) => Number(number)));
      expect([...numbers].toSorted((a, b) => a - b)).toEqual(params.map((_, index) => index + 1));
    }
  });
});

describe('a second engine', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
    await world.put(rowsOf(RANDOM));
    for (const statement of macros()) await world.lake.query(statement);
  });
  afterAll(async () => {
    await world?.close();
  });

  const [visitor = '', other = ''] = [...new Set(RANDOM.world.visits.map(({ visitor_id: id }) => id))];
  const prologue: Prologue = {
    links: { [other]: 'anna' },
    attributes: [
      { person: visitor, attribute: 'gender', value: 'female' },
      { person: visitor, attribute: 'interest', value: '1', source: 'network' },
      { person: 'user:anna', attribute: 'age_group', value: '25-34', source: 'user' },
      { person: 'user:anna', attribute: 'visitor_param', param: 'plan', value: 'pro' },
    ],
  };

  const context = { site: RANDOM.site, refundedFrom: Date.UTC(2020, 0, 1), ...prologue };

  it('is asked about a world that has rows', async () => {
    expect((await world.report(FIRST_OF_DECK, context)).rowCount).toBeGreaterThan(0);
  });

  it.each(REQUESTS.map((request) => [`${request.dimensions.join()} ${request.metrics.join()}`, request] as const))(
    'has the same answer: %s',
    async (_name, request) => {
      const expected = await world.report(request, context);
      expect(await world.report(request, { ...context, dialect: OTHER })).toEqual(expected);
    },
  );
});

function rowsOf({
  world: { visits, hits, conversions, orders, order_lines },
}: typeof RANDOM): Parameters<World['put']>[0] {
  return { visits, hits, conversions, orders, order_lines };
}
