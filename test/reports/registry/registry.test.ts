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

/** The given ids, group by group. */
const GIVEN_DIMENSIONS = `
  date week month quarter year hour day_of_week date_hour
  source_type source_name search_engine search_phrase social_network messenger ai_assistant ad_system referrer_domain referrer_url utm_source utm_medium utm_campaign utm_content utm_term click_id
  entry_page entry_path entry_domain entry_path_level1 entry_path_level2 entry_path_level3 exit_page exit_path visitor_type visit_number pageviews_bucket duration_bucket bounce
  days_since_first_visit days_since_previous_visit is_robot robot_reason logged_in visit_param
  device_type device_brand device_model os os_version browser browser_version browser_engine browser_language screen_resolution window_size visitor_timezone
  continent country region city
  page_url page_path page_domain page_title page_path_level1 page_path_level2 page_path_level3 event_name event_param form_id outbound_domain outbound_url download_url
  goal goal_source
  order_status order_currency transaction_id promo_code
  product_id product_name product_brand product_variant product_category_level1 product_category_level2 product_category_level3 product_category_level4 product_category_level5
  gender age_group interest has_children children_age company_type industry company_region purchase_category price_segment geo_person_country geo_person_region geo_person_city visitor_param value_source`;

const GIVEN_METRICS = `
  visits visitors users new_visitors new_visitors_share pageviews hits pages_per_visit avg_visit_duration bounce_rate bounces visits_per_visitor visits_per_day robot_visits robot_share mobile_share
  unique_pageviews entrances exits exit_rate avg_time_on_page avg_scroll_depth events form_submissions outbound_clicks downloads
  conversions converted_visits converted_visitors conversion_rate visitor_conversion_rate conversion_value value_per_conversion
  orders buyers revenue avg_order_value revenue_per_visit revenue_per_visitor order_conversion_rate refunds refund_revenue gross_revenue first_orders repeat_orders
  product_quantity product_revenue product_orders product_avg_price product_refunded_quantity
  people people_share undefined_share network_share affinity_index`;

const words = (text: string): string[] => text.trim().split(/\s+/);

describe('the registry', () => {
  it('has every documented dimension and metric, and no other', () => {
    expect(DIMENSIONS.map(({ id }) => id)).toEqual(words(GIVEN_DIMENSIONS));
    expect(METRICS.map(({ id }) => id)).toEqual(words(GIVEN_METRICS));
  });

  it('names each in every language, with unique names', () => {
    for (const entries of [DIMENSIONS, METRICS]) {
      for (const language of LANGUAGES) {
        const labels = entries.map(({ group, label }) => `${group}: ${label[language]}`);
        expect(new Set(labels).size).toBe(labels.length);
        expect(labels.every((label) => label.length > 5)).toBe(true);
      }
    }
  });

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
  const ONE_OF_EACH: readonly string[] = ['date', 'page_path', 'goal', 'order_status', 'product_id', 'gender'];
  it.each([
    ['visits', ONE_OF_EACH],
    ['pageviews', ONE_OF_EACH],
    ['people', ONE_OF_EACH],
    ['events', ['date', 'page_path', 'gender']],
    ['conversions', ['date', 'goal', 'gender']],
    ['conversion_rate', ['date', 'goal', 'gender']],
    ['revenue_per_visit', ['date', 'order_status', 'product_id', 'gender']],
    ['product_quantity', ['date', 'order_status', 'product_id', 'gender']],
    ['people_share', ['gender']],
  ])('%s: of %j', (id, possible) => {
    const found = ONE_OF_EACH.filter((name) => isCompatible(metric(id), [dimension(name)]));
    expect(found).toEqual(possible);
    // A filter on a dimension must be allowed where the dimension itself is.
    if (id === 'people_share') return;
    expect(ONE_OF_EACH.filter((name) => isCompatible(metric(id), [], [dimension(name)]))).toEqual(possible);
  });

  it.each(['people_share', 'undefined_share', 'network_share', 'affinity_index'])(
    '%s: with exactly one dimension of the audience',
    (id) => {
      const [gender, age, date, page] = ['gender', 'age_group', 'date', 'page_path'].map(dimension);
      if (!gender || !age || !date || !page) throw new Error('a dimension is gone');
      expect(isCompatible(metric(id), [])).toBe(false);
      expect(isCompatible(metric(id), [date, gender])).toBe(true);
      expect(isCompatible(metric(id), [gender, age])).toBe(false);
      expect(isCompatible(metric(id), [gender], [age])).toBe(true);
      expect(isCompatible(metric(id), [gender], [page])).toBe(false);
      expect(isCompatible(metric(id), [date], [gender])).toBe(false);
    },
  );
});

describe('the SQL of entries', () => {
  /** Functions that every engine reads alike; all others depend on the dialect. */
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

  it.each(expressions)('%s: uses only what every engine supports', (_id, expression) => {
    const bare = textOf(expression)
      .replaceAll(/'[^']*'/g, '')
      .replaceAll(/\b[vhcol]\.x\b/g, '');
    expect((bare.match(/\b[a-z_]\w*|::/gi) ?? []).filter((word) => !COMMON.includes(word))).toEqual([]);
  });
});
