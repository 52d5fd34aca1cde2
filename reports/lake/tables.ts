/** Columns of the lake's tables: the type in the lake, and the conversion from a staged JSON row. */
import type { CollectedLayout } from '../../domain/collect/collected.ts';
import type { FormerTime, LakeRows, LakeTable } from '../../domain/reports/lakeRows.ts';

export interface Column {
  type: string;
  /** Whether a row without it is invalid. */
  required: boolean;
}

type Columns<Table extends LakeTable> = Readonly<
  Record<Exclude<keyof LakeRows[Table][number], keyof CollectedLayout | keyof FormerTime>, Column>
>;

const must = (type: string): Column => ({ type, required: true });
const may = (type: string): Column => ({ type, required: false });

const TEXT = 'VARCHAR';
/** Exact: six decimal places are more than any currency has, and 18 digits before them exceed any amount. */
const MONEY = 'DECIMAL(24,6)';

const SOURCE = `STRUCT(${[
  'source_type',
  'source_name',
  'search_engine',
  'search_phrase',
  'social_network',
  'messenger',
  'ai_assistant',
  'ad_system',
  'referrer_domain',
  'referrer_url',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_content',
  'utm_term',
  'click_id',
]
  .map((field) => `${field} VARCHAR`)
  .join(', ')})`;

const HITS: Columns<'hits'> = {
  site_id: must(TEXT),
  hit_id: must('UUID'),
  visit_id: must('UUID'),
  visitor_id: must('UUID'),
  visitor_bucket: must('SMALLINT'),
  at: must('TIMESTAMP'),
  visit_started_at: must('TIMESTAMP'),
  type: must(TEXT),
  weight: must('SMALLINT'),
  page_url: must(TEXT),
  page_domain: must(TEXT),
  page_path: must(TEXT),
  page_title: may(TEXT),
  referrer: may(TEXT),
  name: may(TEXT),
  params: may(TEXT),
  target: may(TEXT),
  target_domain: may(TEXT),
  depth: may('DOUBLE'),
  x: may('DOUBLE'),
  y: may('DOUBLE'),
  selector: may(TEXT),
};

/** Columns that a staged hit has too; the lake keeps them in a separate table (layouts.ts). */
export const LAYOUT: Readonly<Record<keyof CollectedLayout, Column>> = {
  element_x: may('DOUBLE'),
  element_y: may('DOUBLE'),
  viewport_width: may('INTEGER'),
  viewport_height: may('INTEGER'),
  document_width: may('INTEGER'),
  document_height: may('INTEGER'),
};

const VISITS: Columns<'visits'> = {
  site_id: must(TEXT),
  visit_id: must('UUID'),
  visitor_id: must('UUID'),
  visitor_bucket: must('SMALLINT'),
  user_id: may(TEXT),
  started_at: must('TIMESTAMP'),
  ended_at: must('TIMESTAMP'),
  duration_s: must('DOUBLE'),
  weight: must('SMALLINT'),
  pageviews: must('INTEGER'),
  weighted_pageviews: must('INTEGER'),
  hits: must('INTEGER'),
  weighted_hits: must('INTEGER'),
  goals: must('INTEGER'),
  is_bounce: must('BOOLEAN'),
  is_robot: must('BOOLEAN'),
  robot_reason: may(TEXT),
  visit_number: must('INTEGER'),
  first_visit_at: must('TIMESTAMP'),
  previous_visit_at: may('TIMESTAMP'),
  entry_url: may(TEXT),
  entry_domain: may(TEXT),
  entry_path: may(TEXT),
  exit_url: may(TEXT),
  exit_path: may(TEXT),
  params: may(TEXT),
  device_type: must(TEXT),
  device_brand: may(TEXT),
  device_model: may(TEXT),
  os: may(TEXT),
  os_version: may(TEXT),
  browser: may(TEXT),
  browser_version: may(TEXT),
  browser_engine: may(TEXT),
  continent: may(TEXT),
  country: may(TEXT),
  region: may(TEXT),
  city: may(TEXT),
  browser_language: may(TEXT),
  screen_resolution: may(TEXT),
  window_size: may(TEXT),
  visitor_timezone: may(TEXT),
  source_last: must(SOURCE),
  source_last_significant: must(SOURCE),
  source_first: must(SOURCE),
};

const FACT = {
  site_id: must(TEXT),
  visitor_id: may('UUID'),
  visitor_bucket: must('SMALLINT'),
  user_id: may(TEXT),
  visit_id: may('UUID'),
  visit_started_at: may('TIMESTAMP'),
  at: must('TIMESTAMP'),
  weight: must('SMALLINT'),
} as const;

const CONVERSIONS: Columns<'conversions'> = {
  ...FACT,
  origin: must(TEXT),
  conversion_id: must(TEXT),
  goal: must(TEXT),
  goal_source: must(TEXT),
  value: may(MONEY),
};

const ORDERS: Columns<'orders'> = {
  ...FACT,
  transaction_id: must(TEXT),
  status: must(TEXT),
  origin: must(TEXT),
  currency: must(TEXT),
  revenue: may(MONEY),
  promo_code: may(TEXT),
  is_first: may('BOOLEAN'),
  is_full_refund: may('BOOLEAN'),
};

const ORDER_LINES: Columns<'order_lines'> = {
  ...FACT,
  transaction_id: must(TEXT),
  status: must(TEXT),
  line: must('INTEGER'),
  currency: must(TEXT),
  product_id: may(TEXT),
  product_name: may(TEXT),
  product_brand: may(TEXT),
  product_variant: may(TEXT),
  product_category: may(TEXT),
  price: may(MONEY),
  quantity: must(MONEY),
};

export const TABLES: Readonly<Record<LakeTable, Readonly<Record<string, Column>>>> = {
  hits: HITS,
  visits: VISITS,
  conversions: CONVERSIONS,
  orders: ORDERS,
  order_lines: ORDER_LINES,
};

/** A staged conversion or order also has it, to find the older row (replaceRows.ts). */
const FORMER: Readonly<Record<keyof FormerTime, Column>> = { former_at: may('TIMESTAMP') };

const STAGED: typeof TABLES = {
  ...TABLES,
  hits: { ...HITS, ...LAYOUT },
  conversions: { ...CONVERSIONS, ...FORMER },
  orders: { ...ORDERS, ...FORMER },
};

/** Returns the columns of the lake's table, read from a staged row. */
export function lakeColumns(table: LakeTable): string {
  return Object.keys(TABLES[table]).map(quotedName).join(', ');
}

/**
 * The temporary table that a report reads beside `lake.visits` (reports/run/freshVisits.ts), with columns of the same
 * names and types.
 */
export const FRESH_VISITS = 'fresh_visits';

/**
 * The temporary table of ids of visits that a report finds in no table although the lake has their hits
 * (reports/run/freshVisits.ts).
 */
export const LEFT_OUT = 'left_out_visits';

export const TABLE_NAMES = Object.keys(TABLES) as LakeTable[];

/** Tables that may have rows of a user with no known visitor. */
export const FACT_TABLES = TABLE_NAMES.filter((table) => TABLES[table]['visitor_id']?.required === false);

/** The time column that partitions a table and to which the period of a report applies. */
export const TIME_COLUMN: Readonly<Record<LakeTable, string>> = {
  hits: 'visit_started_at',
  visits: 'started_at',
  conversions: '"at"',
  orders: '"at"',
  order_lines: '"at"',
};

/**
 * The sort order within a file, and so within a row group: rows of one site together, by time, those of one visitor
 * adjacent. Robot visits are separate, because most reports look them up to leave them out.
 */
export const SORT_ORDER: Readonly<Record<LakeTable, string>> = {
  hits: 'site_id, visit_started_at, visitor_id, "at"',
  visits: 'site_id, is_robot, started_at, visitor_id',
  conversions: 'site_id, "at"',
  orders: 'site_id, "at"',
  order_lines: 'site_id, "at", transaction_id, line',
};

/** Quotes a column's name; `AT` is a keyword of DuckDB. */
export function quotedName(column: string): string {
  return `"${column}"`;
}

/** Returns `name type, …` for a `create table`; `strict` is for staged rows. */
export function definitions(table: LakeTable, options: { strict: boolean; columns?: ReadonlySet<string> }): string {
  return Object.entries((options.strict ? STAGED : TABLES)[table])
    .filter(([name]) => options.columns?.has(name) ?? true)
    .map(([name, { type, required }]) => `${quotedName(name)} ${type}${options.strict && required ? ' NOT NULL' : ''}`)
    .join(', ');
}

/** Returns the type in which read_json parses a row: times are epoch milliseconds, money is kept as written. */
export function jsonType(table: LakeTable): string {
  const fields = Object.entries(STAGED[table]).map(
    ([name, { type }]) => `${quotedName(name)} ${type === 'TIMESTAMP' ? 'BIGINT' : type === MONEY ? TEXT : type}`,
  );
  return `STRUCT(${fields.join(', ')})`;
}

/** Returns the expressions from such a row to the columns of the table. */
export function fromJson(table: LakeTable): string {
  return Object.keys(STAGED[table])
    .map((name) => valueFromJson(table, name))
    .join(', ');
}

/**
 * Returns the expression of one column.
 * @throws if the table has no such column
 */
export function valueFromJson(table: LakeTable, name: string): string {
  const type = STAGED[table][name]?.type;
  if (type === undefined) throw new Error(`${table} has no column ${name}`);
  if (type === 'TIMESTAMP') return `make_timestamp_ms(${quotedName(name)})`;
  return type === MONEY ? `${quotedName(name)}::${MONEY}` : quotedName(name);
}
