import { describe, expect, it } from '@jest/globals';
import { LANGUAGES } from '../../../domain/language.ts';
import {
  aboutMetric,
  aggregatesOf,
  DIMENSIONS,
  expressionsOf,
  findDimension,
  findMetric,
  isCompatible,
  METRICS,
  type Dimension,
  type Level,
  type Metric,
  type MetricTerm,
  type RowTerm,
} from '../../../reports/registry/index.ts';
import { DUCKDB } from '../../../reports/sql/duckdb.ts';
import { fill, raw, render, type Dialect, type Sql } from '../../../reports/sql/index.ts';

function dimension(id: string): Dimension {
  const found = findDimension(id);
  if (found === null) throw new Error(id);
  return found.dimension;
}

function metric(id: string): Metric {
  const found = findMetric(id);
  if (found === null) throw new Error(id);
  return found.metric;
}

/** The documented ids with their levels, group by group. */
const GIVEN_DIMENSIONS: readonly (readonly [Level, string])[] = [
  ['visit', 'date week month quarter year hour day_of_week date_hour'],
  ['visit', 'source_type source_name search_engine search_phrase social_network messenger ai_assistant ad_system'],
  ['visit', 'referrer_domain referrer_url utm_source utm_medium utm_campaign utm_content utm_term click_id'],
  ['visit', 'entry_page entry_path entry_domain entry_path_level1 entry_path_level2 entry_path_level3'],
  ['visit', 'exit_page exit_path visitor_type visit_number pageviews_bucket duration_bucket bounce'],
  ['visit', 'days_since_first_visit days_since_previous_visit is_robot robot_reason logged_in visit_param'],
  ['visit', 'device_type device_brand device_model os os_version browser browser_version browser_engine'],
  ['visit', 'browser_language screen_resolution window_size visitor_timezone'],
  ['visit', 'continent country region city'],
  ['hit', 'page_url page_path page_domain page_title page_path_level1 page_path_level2 page_path_level3'],
  ['hit', 'event_name event_param form_id outbound_domain outbound_url download_url'],
  ['goal', 'goal goal_source'],
  ['order', 'order_status order_currency transaction_id promo_code'],
  ['product', 'product_id product_name product_brand product_variant product_category_level1'],
  ['product', 'product_category_level2 product_category_level3 product_category_level4 product_category_level5'],
  ['person', 'gender age_group interest has_children children_age company_type industry company_region'],
  ['person', 'purchase_category price_segment geo_person_country geo_person_region geo_person_city'],
  ['person', 'visitor_param value_source'],
];

const GIVEN_METRICS: readonly (readonly [Level, string])[] = [
  ['visit', 'visits visitors users new_visitors new_visitors_share pageviews hits pages_per_visit avg_visit_duration'],
  ['visit', 'bounce_rate bounces visits_per_visitor visits_per_day robot_visits robot_share mobile_share'],
  ['hit', 'unique_pageviews entrances exits exit_rate avg_time_on_page avg_scroll_depth'],
  ['hit', 'events form_submissions outbound_clicks downloads'],
  ['goal', 'conversions converted_visits converted_visitors conversion_rate visitor_conversion_rate'],
  ['goal', 'conversion_value value_per_conversion'],
  ['order', 'orders buyers revenue avg_order_value revenue_per_visit revenue_per_visitor order_conversion_rate'],
  ['order', 'refunds refund_revenue gross_revenue first_orders repeat_orders'],
  ['product', 'product_quantity product_revenue product_orders product_avg_price product_refunded_quantity'],
  ['person', 'people people_share undefined_share network_share affinity_index'],
];

const words = (text: string): string[] => text.trim().split(/\s+/);

describe('the registry', () => {
  // proves: report-dimensions/registry, report-dimensions/levels, report-metrics/registry
  it('has every documented dimension and metric at its level, and no other', () => {
    const listed = (given: typeof GIVEN_METRICS): [string, Level][] =>
      given.flatMap(([level, ids]) => words(ids).map((id): [string, Level] => [id, level]));
    expect(DIMENSIONS.map(({ id, level }) => [id, level])).toEqual(listed(GIVEN_DIMENSIONS));
    expect(METRICS.map(({ id, level }) => [id, level])).toEqual(listed(GIVEN_METRICS));
  });

  // proves: decisions-cabinet-app/report-fields
  it('gives every dimension and metric a unique name in every language', () => {
    for (const entries of [DIMENSIONS, METRICS]) {
      for (const language of LANGUAGES) {
        const labels = entries.map(({ group, label }) => `${group}: ${label[language]}`);
        expect(new Set(labels).size).toBe(labels.length);
        expect(labels.every((label) => label.length > 5)).toBe(true);
      }
    }
  });

  // proves: report-dimensions/parameter
  it.each([
    ['visit_param:plan', 'visit_param', 'plan'],
    ['visit_param:a:b', 'visit_param', 'a:b'],
    ['value_source:gender', 'value_source', 'gender'],
    ['value_source:visitor_param:plan', 'value_source', 'visitor_param:plan'],
    ['date', 'date', ''],
  ])('finds dimension %s', (id, name, param) => {
    expect(findDimension(id)).toMatchObject({ dimension: { id: name }, param });
  });

  it.each([
    '',
    'dates',
    'date:x',
    'date:',
    'visit_param',
    'visit_param:',
    'value_source:visits',
    'value_source:value_source:gender',
    'value_source:visitor_param',
    'value_source:visitor_param:',
    'value_source:gender:x',
    'constructor',
  ])('finds no dimension %j', (id) => {
    expect(findDimension(id)).toBeNull();
  });

  // proves: report-metrics/goal-code
  it('finds metrics of goals with and without a goal', () => {
    expect(findMetric('conversions')).toMatchObject({ metric: { id: 'conversions' }, param: '' });
    expect(findMetric('conversion_rate:lead-1_a')).toMatchObject({
      metric: { id: 'conversion_rate' },
      param: 'lead-1_a',
    });
  });

  it.each([
    '',
    'visit',
    'visits:lead',
    'conversions:',
    'conversions:Lead',
    'conversions:a:b',
    `conversions:${'a'.repeat(65)}`,
  ])('finds no metric %j', (id) => {
    expect(findMetric(id)).toBeNull();
  });
});

it('the registry says that rates of visits count conversions and purchases at any time', () => {
  const found = METRICS.filter((one) => aboutMetric(one).attribution?.en.includes('whenever'));
  expect(found.map(({ id }) => id)).toEqual(['conversion_rate', 'visitor_conversion_rate', 'order_conversion_rate']);
});

describe('compatibility', () => {
  const SHARES = ['people_share', 'undefined_share', 'network_share', 'affinity_index'];
  /** By the level of a metric, the levels of the dimensions that it goes with. */
  const POSSIBLE: Readonly<Record<Level, readonly Level[]>> = {
    visit: ['visit', 'hit', 'goal', 'order', 'product', 'person'],
    hit: ['visit', 'hit', 'person'],
    goal: ['visit', 'goal', 'person'],
    order: ['visit', 'order', 'product', 'person'],
    product: ['visit', 'order', 'product', 'person'],
    person: ['visit', 'hit', 'goal', 'order', 'product', 'person'],
  };

  // proves: report-dimensions/incompatible, decisions-analytics/incompatible
  it.each(METRICS.filter(({ id }) => !SHARES.includes(id)))(
    'of $id with a dimension depends on the levels of both alone',
    (entry) => {
      const fits = (found: readonly Dimension[]): string[] => found.map(({ id }) => id);
      const expected = fits(DIMENSIONS.filter(({ level }) => POSSIBLE[entry.level].includes(level)));
      expect(fits(DIMENSIONS.filter((one) => isCompatible(entry, [one])))).toEqual(expected);
      expect(fits(DIMENSIONS.filter((one) => isCompatible(entry, [], [one])))).toEqual(expected);
    },
  );

  // proves: decisions-analytics/incompatible-shares
  it.each(SHARES)('of %s requires exactly one audience dimension and excludes dimensions of pages and facts', (id) => {
    const [share, gender] = [metric(id), dimension('gender')];
    const ofLevels = (...levels: Level[]): Dimension[] => DIMENSIONS.filter(({ level }) => levels.includes(level));
    expect(isCompatible(share, [])).toBe(false);
    for (const one of ofLevels('person')) {
      expect([one.id, isCompatible(share, [one])]).toEqual([one.id, true]);
      expect([one.id, isCompatible(share, [gender, one])]).toEqual([one.id, false]);
      expect([one.id, isCompatible(share, [gender], [one])]).toEqual([one.id, true]);
    }
    for (const one of ofLevels('visit')) {
      expect([one.id, isCompatible(share, [one])]).toEqual([one.id, false]);
      expect([one.id, isCompatible(share, [one, gender])]).toEqual([one.id, true]);
      expect([one.id, isCompatible(share, [one], [gender])]).toEqual([one.id, false]);
    }
    for (const one of ofLevels('hit', 'goal', 'order', 'product')) {
      expect([one.id, isCompatible(share, [gender, one])]).toEqual([one.id, false]);
      expect([one.id, isCompatible(share, [gender], [one])]).toEqual([one.id, false]);
    }
  });
});

describe('the SQL', () => {
  /** Keywords and functions that every engine reads alike; all others depend on the dialect. */
  const COMMON = words(
    'case when then else end is null not and or true false coalesce nullif least round sum count distinct filter where',
  );
  const dialect: Dialect = {
    placeholder: () => '?',
    name: () => 'x',
    relation: (name) => name,
    functions: new Proxy(DUCKDB.functions, {
      get:
        () =>
        (...args: string[]) =>
          `(${args.join(', ')})`,
    }),
  };
  const textOf = (expression: Sql<RowTerm | MetricTerm>): string => {
    const filled = fill(expression, (term) => {
      if (term.name === 'money') return term.amount;
      return term.name === 'local' ? term.utc : raw('0');
    });
    return render(filled, dialect).text;
  };

  const expressions = [
    ...DIMENSIONS.flatMap(({ id, key, text, keyAtEnd }) => {
      const ofParam = key('plan');
      return [ofParam, text(raw('0')), ...Object.values(keyAtEnd)].map((expression) => [id, expression] as const);
    }),
    ...METRICS.flatMap((entry) => {
      const ofAggregates = aggregatesOf(entry, 'lead').flatMap(expressionsOf);
      const perVisit = entry.perVisit === null ? [] : [entry.perVisit.value('lead')];
      return [entry.value('lead'), ...ofAggregates, ...perVisit].map((expression) => [entry.id, expression] as const);
    }),
  ];

  it.each(expressions)('of %s uses only what every engine supports', (_id, expression) => {
    const bare = textOf(expression)
      .replaceAll(/'[^']*'/g, '')
      .replaceAll(/\b[vhcol]\.x\b/g, '');
    expect((bare.match(/\b[a-z_]\w*|::/gi) ?? []).filter((word) => !COMMON.includes(word))).toEqual([]);
  });
});
