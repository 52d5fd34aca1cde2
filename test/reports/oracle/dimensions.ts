/** Computes each label from its row alone, following docs/decisions/reports.md literally. */
import type { CollectType } from '../../../domain/collect/collected.ts';
import type { HitRow, VisitRow } from '../../../domain/reports/lakeRows.ts';
import type { TrafficSource } from '../../../domain/sites/trafficSource.ts';
import type { LabelContext, Tuple } from './metrics/tuple.ts';
import { dayOfWeek, daysBetween, isoWeek, wallClock } from './wallClock.ts';

export type DimensionLevel = 'time' | 'visit' | 'hit' | 'goal' | 'order' | 'product' | 'person';
type Text = string | null;

export interface OracleDimension {
  level: DimensionLevel;
  sortedAs: 'text' | 'number';
  /** The only type of hits that has it. */
  hitType: CollectType | null;
  /** The attribute of a person that it shows. */
  attribute: ((param: string) => { attribute: string; param: string | null }) | null;
  takesParam: boolean;
  label(tuple: Tuple, context: LabelContext, param: string): Text;
}

const PLAIN = { sortedAs: 'text', hitType: null, attribute: null, takesParam: false } as const;

const yesNo = (value: boolean): string => (value ? 'yes' : 'no');

function time(label: (clock: { date: string; hour: string }) => string): OracleDimension {
  return { ...PLAIN, level: 'time', label: ({ at }, { timezone }) => label(wallClock(at, timezone)) };
}

function ofVisit(
  label: (visit: VisitRow, context: LabelContext, param: string) => Text | number,
  options: Partial<OracleDimension> = {},
): OracleDimension {
  return {
    ...PLAIN,
    level: 'visit',
    ...options,
    label: ({ visit }, context, param) => (visit === null ? null : textOf(label(visit, context, param))),
  };
}

const textOf = (value: Text | number): Text => (value === null ? null : String(value));

function ofSource(field: keyof TrafficSource): OracleDimension {
  return ofVisit((visit, { attribution }) => visit[`source_${attribution}`][field]);
}

function ofHit(
  label: (hit: HitRow, param: string) => Text,
  hitType: CollectType | null = null,
  takesParam = false,
): OracleDimension {
  return {
    ...PLAIN,
    level: 'hit',
    hitType,
    takesParam,
    label: ({ hit }, _context, param) => (hit === null ? null : label(hit, param)),
  };
}

function ofPerson(id: string, sortedAs: 'text' | 'number' = 'text'): OracleDimension {
  return {
    ...PLAIN,
    level: 'person',
    sortedAs,
    attribute: () => ({ attribute: id, param: null }),
    label: ({ attributes }) => attributes.get(id)?.value ?? null,
  };
}

/** Returns the path up to and including the (level + 1)-th slash. */
export function pathLevel(path: Text, level: number): Text {
  if (path === null) return null;
  let end = -1;
  for (let slashes = 0; slashes <= level; slashes += 1) {
    end = path.indexOf('/', end + 1);
    if (end === -1) return path;
  }
  return path.slice(0, end + 1);
}

/** Returns a member of JSON text: texts unchanged, other values as JSON. */
export function jsonMember(json: Text, key: string): Text {
  if (json === null) return null;
  const value = new Map(Object.entries(JSON.parse(json) as Record<string, unknown>)).get(key);
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function bucket(value: number, steps: readonly (readonly [from: number, label: string])[]): string {
  return steps.findLast(([from]) => value >= from)?.[1] ?? '';
}

const PAGEVIEWS = [
  [0, '0'],
  [1, '1'],
  [2, '2'],
  [3, '3-5'],
  [6, '6-10'],
  [11, '11-20'],
  [21, '21+'],
] as const;
const SECONDS = [
  [0, '0-9'],
  [10, '10-29'],
  [30, '30-59'],
  [60, '60-179'],
  [180, '180-599'],
  [600, '600-1799'],
  [1800, '1800+'],
] as const;

function daysSince(visit: VisitRow, before: number | null, { timezone }: LabelContext): number | null {
  return before === null
    ? null
    : daysBetween(wallClock(before, timezone).date, wallClock(visit.started_at, timezone).date);
}

const categoryLevel = (level: number): OracleDimension => ({
  ...PLAIN,
  level: 'product', // A level without a name does not exist.
  label: ({ line }) => line?.product_category?.split('/')[level - 1] || null,
});

const visitFields = [
  'robot_reason',
  'entry_path',
  'entry_domain',
  'exit_path',
  'device_type',
  'device_brand',
  'device_model',
  'os',
  'os_version',
  'browser',
  'browser_version',
  'browser_engine',
  'browser_language',
  'screen_resolution',
  'window_size',
  'visitor_timezone',
  'continent',
  'country',
  'region',
  'city',
] as const;

const sourceFields = [
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
] as const;

export const ATTRIBUTES = [
  'gender',
  'age_group',
  'interest',
  'has_children',
  'children_age',
  'company_type',
  'industry',
  'company_region',
  'purchase_category',
  'price_segment',
  'geo_person_country',
  'geo_person_region',
  'geo_person_city',
] as const;

/** Keyed by id without parameters. */
export const DIMENSIONS: Readonly<Record<string, OracleDimension>> = {
  date: time(({ date }) => date),
  week: time(({ date }) => isoWeek(date)),
  month: time(({ date }) => date.slice(0, 7)),
  quarter: time(({ date }) => `${date.slice(0, 4)}-Q${Math.ceil(Number(date.slice(5, 7)) / 3)}`),
  year: time(({ date }) => date.slice(0, 4)),
  hour: time(({ hour }) => hour),
  day_of_week: time(({ date }) => String(dayOfWeek(date))),
  date_hour: time(({ date, hour }) => `${date}T${hour}:00:00`),
  ...Object.fromEntries(sourceFields.map((field) => [field, ofSource(field)])),
  ...Object.fromEntries(visitFields.map((field) => [field, ofVisit((visit) => visit[field])])),
  entry_page: ofVisit((visit) => visit.entry_url),
  exit_page: ofVisit((visit) => visit.exit_url),
  entry_path_level1: ofVisit((visit) => pathLevel(visit.entry_path, 1)),
  entry_path_level2: ofVisit((visit) => pathLevel(visit.entry_path, 2)),
  entry_path_level3: ofVisit((visit) => pathLevel(visit.entry_path, 3)),
  visitor_type: ofVisit((visit) => (visit.visit_number === 1 ? 'new' : 'returning')),
  visit_number: ofVisit((visit) => visit.visit_number, { sortedAs: 'number' }),
  pageviews_bucket: ofVisit((visit) => bucket(visit.pageviews, PAGEVIEWS), { sortedAs: 'number' }),
  duration_bucket: ofVisit((visit) => bucket(visit.duration_s, SECONDS), { sortedAs: 'number' }),
  bounce: ofVisit((visit) => yesNo(visit.is_bounce)),
  days_since_first_visit: ofVisit((visit, context) => daysSince(visit, visit.first_visit_at, context), {
    sortedAs: 'number',
  }),
  days_since_previous_visit: ofVisit((visit, context) => daysSince(visit, visit.previous_visit_at, context), {
    sortedAs: 'number',
  }),
  is_robot: ofVisit((visit) => yesNo(visit.is_robot)),
  logged_in: ofVisit((visit) => yesNo(visit.user_id !== null)),
  visit_param: ofVisit((visit, _context, param) => jsonMember(visit.params, param), { takesParam: true }),
  page_url: ofHit((hit) => hit.page_url),
  page_path: ofHit((hit) => hit.page_path),
  page_domain: ofHit((hit) => hit.page_domain),
  page_title: ofHit((hit) => hit.page_title),
  page_path_level1: ofHit((hit) => pathLevel(hit.page_path, 1)),
  page_path_level2: ofHit((hit) => pathLevel(hit.page_path, 2)),
  page_path_level3: ofHit((hit) => pathLevel(hit.page_path, 3)),
  event_name: ofHit((hit) => hit.name, 'event'),
  event_param: ofHit((hit, param) => jsonMember(hit.params, param), 'event', true),
  form_id: ofHit((hit) => hit.name, 'form'),
  outbound_domain: ofHit((hit) => hit.target_domain, 'outbound'),
  outbound_url: ofHit((hit) => hit.target, 'outbound'),
  download_url: ofHit((hit) => hit.target, 'download'),
  goal: { ...PLAIN, level: 'goal', label: ({ conversion }) => conversion?.goal ?? null },
  goal_source: { ...PLAIN, level: 'goal', label: ({ conversion }) => conversion?.goal_source ?? null },
  order_status: { ...PLAIN, level: 'order', label: ({ order }) => order?.status ?? null },
  order_currency: { ...PLAIN, level: 'order', label: ({ order }) => order?.currency ?? null },
  transaction_id: { ...PLAIN, level: 'order', label: ({ order }) => order?.transaction_id ?? null },
  promo_code: { ...PLAIN, level: 'order', label: ({ order }) => order?.promo_code ?? null },
  product_id: { ...PLAIN, level: 'product', label: ({ line }) => line?.product_id ?? null },
  product_name: { ...PLAIN, level: 'product', label: ({ line }) => line?.product_name ?? null },
  product_brand: { ...PLAIN, level: 'product', label: ({ line }) => line?.product_brand ?? null },
  product_variant: { ...PLAIN, level: 'product', label: ({ line }) => line?.product_variant ?? null },
  product_category_level1: categoryLevel(1),
  product_category_level2: categoryLevel(2),
  product_category_level3: categoryLevel(3),
  product_category_level4: categoryLevel(4),
  product_category_level5: categoryLevel(5),
  ...Object.fromEntries(ATTRIBUTES.map((id) => [id, ofPerson(id, id === 'children_age' ? 'number' : 'text')])),
  visitor_param: {
    ...PLAIN,
    level: 'person',
    takesParam: true,
    attribute: (param) => ({ attribute: 'visitor_param', param }),
    label: ({ attributes }, _context, param) => attributes.get(`visitor_param:${param}`)?.value ?? null,
  },
  value_source: {
    ...PLAIN,
    level: 'person',
    takesParam: true,
    attribute: (param) => ({ attribute: param, param: null }),
    label: ({ attributes }, _context, param) => attributes.get(param)?.source ?? null,
  },
};

export interface Identified {
  dimension: OracleDimension;
  param: string;
}

/** @param id with its parameter */
export function dimensionOf(id: string): Identified {
  const colon = id.indexOf(':');
  const name = colon === -1 ? id : id.slice(0, colon);
  const dimension = Object.hasOwn(DIMENSIONS, name) ? DIMENSIONS[name] : undefined;
  if (dimension === undefined) throw new Error(`the oracle does not know the dimension ${id}`);
  return { dimension, param: colon === -1 ? '' : id.slice(colon + 1) };
}

export function labelOf(id: string, tuple: Tuple, context: LabelContext): Text {
  const { dimension, param } = dimensionOf(id);
  return dimension.label(tuple, context, param);
}

export function levelOf(id: string): DimensionLevel {
  return dimensionOf(id).dimension.level;
}
