/** Columns of the lake's tables: the type in the lake, and the conversion from a staged JSON row. */
import type { CollectedLayout } from '../../domain/collect/collected.ts';
import type { FormerTime, LakeRows, LakeTable } from '../../domain/reports/lakeRows.ts';
import type { TrafficSource } from '../../domain/sites/trafficSource.ts';

export interface Column {
  type: string;
  /** Whether a row without it is invalid. */
  required: boolean;
}

type Columns<Table extends LakeTable> = Readonly<
  Record<Exclude<keyof LakeRows[Table][number], keyof CollectedLayout | keyof FormerTime>, Column>
>;

const notNull = (type: string): Column => ({ type, required: true });
const nullable = (type: string): Column => ({ type, required: false });

const TEXT = 'VARCHAR';
/** Exact: six decimal places are more than any currency has, and 18 digits before them exceed any amount. */
const MONEY = 'DECIMAL(24,6)';

const SOURCE_FIELDS: Readonly<Record<keyof TrafficSource, string>> = {
  source_type: TEXT,
  source_name: TEXT,
  search_engine: TEXT,
  search_phrase: TEXT,
  social_network: TEXT,
  messenger: TEXT,
  ai_assistant: TEXT,
  ad_system: TEXT,
  referrer_domain: TEXT,
  referrer_url: TEXT,
  utm_source: TEXT,
  utm_medium: TEXT,
  utm_campaign: TEXT,
  utm_content: TEXT,
  utm_term: TEXT,
  click_id: TEXT,
};
const SOURCE = `STRUCT(${Object.entries(SOURCE_FIELDS)
  .map(([field, type]) => `${field} ${type}`)
  .join(', ')})`;

const HITS: Columns<'hits'> = {
  site_id: notNull(TEXT),
  hit_id: notNull('UUID'),
  visit_id: notNull('UUID'),
  visitor_id: notNull('UUID'),
  visitor_bucket: notNull('SMALLINT'),
  at: notNull('TIMESTAMP'),
  visit_started_at: notNull('TIMESTAMP'),
  type: notNull(TEXT),
  weight: notNull('SMALLINT'),
  page_url: notNull(TEXT),
  page_domain: notNull(TEXT),
  page_path: notNull(TEXT),
  page_title: nullable(TEXT),
  referrer: nullable(TEXT),
  name: nullable(TEXT),
  params: nullable(TEXT),
  target: nullable(TEXT),
  target_domain: nullable(TEXT),
  depth: nullable('DOUBLE'),
  x: nullable('DOUBLE'),
  y: nullable('DOUBLE'),
  selector: nullable(TEXT),
};

/** Columns that a staged hit has too; the lake keeps them in a separate table (layouts.ts). */
export const LAYOUT: Readonly<Record<keyof CollectedLayout, Column>> = {
  element_x: nullable('DOUBLE'),
  element_y: nullable('DOUBLE'),
  viewport_width: nullable('INTEGER'),
  viewport_height: nullable('INTEGER'),
  document_width: nullable('INTEGER'),
  document_height: nullable('INTEGER'),
};

const VISITS: Columns<'visits'> = {
  site_id: notNull(TEXT),
  visit_id: notNull('UUID'),
  visitor_id: notNull('UUID'),
  visitor_bucket: notNull('SMALLINT'),
  user_id: nullable(TEXT),
  started_at: notNull('TIMESTAMP'),
  ended_at: notNull('TIMESTAMP'),
  duration_s: notNull('DOUBLE'),
  weight: notNull('SMALLINT'),
  pageviews: notNull('INTEGER'),
  weighted_pageviews: notNull('INTEGER'),
  hits: notNull('INTEGER'),
  weighted_hits: notNull('INTEGER'),
  goals: notNull('INTEGER'),
  is_bounce: notNull('BOOLEAN'),
  is_robot: notNull('BOOLEAN'),
  robot_reason: nullable(TEXT),
  visit_number: notNull('INTEGER'),
  first_visit_at: notNull('TIMESTAMP'),
  previous_visit_at: nullable('TIMESTAMP'),
  entry_url: nullable(TEXT),
  entry_domain: nullable(TEXT),
  entry_path: nullable(TEXT),
  exit_url: nullable(TEXT),
  exit_path: nullable(TEXT),
  params: nullable(TEXT),
  device_type: notNull(TEXT),
  device_brand: nullable(TEXT),
  device_model: nullable(TEXT),
  os: nullable(TEXT),
  os_version: nullable(TEXT),
  browser: nullable(TEXT),
  browser_version: nullable(TEXT),
  browser_engine: nullable(TEXT),
  continent: nullable(TEXT),
  country: nullable(TEXT),
  region: nullable(TEXT),
  city: nullable(TEXT),
  browser_language: nullable(TEXT),
  screen_resolution: nullable(TEXT),
  window_size: nullable(TEXT),
  visitor_timezone: nullable(TEXT),
  source_last: notNull(SOURCE),
  source_last_significant: notNull(SOURCE),
  source_first: notNull(SOURCE),
};

const FACT = {
  site_id: notNull(TEXT),
  visitor_id: nullable('UUID'),
  visitor_bucket: notNull('SMALLINT'),
  user_id: nullable(TEXT),
  visit_id: nullable('UUID'),
  visit_started_at: nullable('TIMESTAMP'),
  at: notNull('TIMESTAMP'),
  weight: notNull('SMALLINT'),
} as const;

const CONVERSIONS: Columns<'conversions'> = {
  ...FACT,
  origin: notNull(TEXT),
  conversion_id: notNull(TEXT),
  goal: notNull(TEXT),
  goal_source: notNull(TEXT),
  value: nullable(MONEY),
};

const ORDERS: Columns<'orders'> = {
  ...FACT,
  transaction_id: notNull(TEXT),
  status: notNull(TEXT),
  origin: notNull(TEXT),
  currency: notNull(TEXT),
  revenue: nullable(MONEY),
  promo_code: nullable(TEXT),
  is_first: nullable('BOOLEAN'),
  is_full_refund: nullable('BOOLEAN'),
};

const ORDER_LINES: Columns<'order_lines'> = {
  ...FACT,
  transaction_id: notNull(TEXT),
  status: notNull(TEXT),
  line: notNull('INTEGER'),
  currency: notNull(TEXT),
  product_id: nullable(TEXT),
  product_name: nullable(TEXT),
  product_brand: nullable(TEXT),
  product_variant: nullable(TEXT),
  product_category: nullable(TEXT),
  price: nullable(MONEY),
  quantity: notNull(MONEY),
};

export const TABLES: Readonly<Record<LakeTable, Readonly<Record<string, Column>>>> = {
  hits: HITS,
  visits: VISITS,
  conversions: CONVERSIONS,
  orders: ORDERS,
  order_lines: ORDER_LINES,
};

/** A staged conversion or order also has it, to find the older row (replaceRows.ts). */
const FORMER: Readonly<Record<keyof FormerTime, Column>> = { former_at: nullable('TIMESTAMP') };

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
