/** The question of the lab, as stored in the address, and the resulting requests. */
import type { cabinet } from '../client.ts';
import { exhaustiveList } from '../exhaustiveList.ts';
import { filtersOf, type Filter } from './propertyFilters.ts';
import { hasFaultyNumber } from './faultyNumber.ts';
import { contentLimits } from '../apiLimits.ts';
import { PERSON_KINDS, type PersonKind } from '../project/people.ts';
import { isRecord } from '../isRecord.ts';
import { numberOf, oneOf, textOf } from '../searchValues.ts';

export type LabPath = cabinet.OutputPreview['path'];
export const LAB_PATHS = exhaustiveList<LabPath>({
  feed: true,
  similar: true,
  next: true,
  together: true,
  popular: true,
  search: true,
  'search/suggest': true,
});
export const PERIODS = ['1d', '7d', '30d', '365d'] as const;
export type PopularPeriod = (typeof PERIODS)[number];

/** Maximum lengths in the API. */
export const MAX_LENGTHS = {
  id: contentLimits.recommendNext_item,
  query: contentLimits.search_query,
  surface: contentLimits.search_surface,
  place: contentLimits.search_context_city,
  region: contentLimits.recommendPopular_region,
} as const;
export const MAX_LIMIT = contentLimits.search_limit;

/** Returns the maximum number of items that a path accepts: a session may be longer than a cart. */
export function maxItems(path: LabPath): number {
  return path === 'together' ? contentLimits.recommendTogether_items : contentLimits.recommendNext_items;
}

export const MAX_EXPLORATION = contentLimits.search_exploration;

/** The change of a "what if" question. */
export interface Change {
  seen?: boolean | undefined;
  /** As if the person had switched personalization off. */
  impersonal?: true | undefined;
  diversity?: number | undefined;
  exploration?: number | undefined;
  /** Empty for no surface. */
  surface?: string | undefined;
  /** Leaves out the filters. */
  unfiltered?: true | undefined;
}

export interface LabSearch {
  path?: LabPath | undefined;
  user?: string | undefined;
  kind?: PersonKind | undefined;
  items?: string[] | undefined;
  query?: string | undefined;
  period?: PopularPeriod | undefined;
  rising?: true | undefined;
  region?: string | undefined;
  surface?: string | undefined;
  limit?: number | undefined;
  city?: string | undefined;
  country?: string | undefined;
  seen?: boolean | undefined;
  diversity?: number | undefined;
  exploration?: number | undefined;
  filters?: Filter[] | undefined;
  change?: Change | undefined;
  /** The item whose absence from the answer is to be explained. */
  absent?: string | undefined;
}

/** Reads the question from the query of an address; malformed values are left out. */
export function labSearchOf(search: Record<string, unknown>): LabSearch {
  const { items, limit } = search;
  const path = oneOf(LAB_PATHS, search['path']);
  const ids = Array.isArray(items) ? items.flatMap((id: unknown) => textOf(id, MAX_LENGTHS.id) ?? []) : [];
  return {
    path,
    user: textOf(search['user'], MAX_LENGTHS.id),
    kind: oneOf(PERSON_KINDS, search['kind']),
    items: ids.length > 0 ? ids.slice(0, maxItems(path ?? 'feed')) : undefined,
    query: textOf(search['query'], MAX_LENGTHS.query),
    period: oneOf(PERIODS, search['period']),
    rising: search['rising'] === true ? true : undefined,
    region: textOf(search['region'], MAX_LENGTHS.region),
    surface: textOf(search['surface'], MAX_LENGTHS.surface),
    limit: Number.isInteger(limit) ? numberOf(limit, 1, MAX_LIMIT) : undefined,
    city: textOf(search['city'], MAX_LENGTHS.place),
    country: textOf(search['country'], MAX_LENGTHS.place),
    ...tuningOf(search),
    filters: filtersOf(search['filters']),
    change: changeOf(search['change']),
    absent: textOf(search['absent'], MAX_LENGTHS.id),
  };
}

function tuningOf({ seen, diversity, exploration }: Record<string, unknown>) {
  return {
    seen: typeof seen === 'boolean' ? seen : undefined,
    diversity: numberOf(diversity, 0, 1),
    exploration: numberOf(exploration, 0, MAX_EXPLORATION),
  };
}

function changeOf(value: unknown): Change | undefined {
  if (!isRecord(value)) return undefined;
  const change: Change = {
    ...tuningOf(value),
    impersonal: value['impersonal'] === true ? true : undefined,
    surface: value['surface'] === '' ? '' : textOf(value['surface'], MAX_LENGTHS.surface),
    unfiltered: value['unfiltered'] === true ? true : undefined,
  };
  return hasChange(change) ? change : undefined;
}

export function hasChange(change: Change): boolean {
  return Object.values(change).some((value) => value !== undefined);
}

/** Returns the question without faulty numbers: another endpoint may not show their fields. */
export function withoutFaultyNumbers(question: LabSearch): LabSearch {
  return Object.fromEntries(Object.entries(question).filter(([, value]) => !hasFaultyNumber(value)));
}

/** Applies the change to the question. */
export function applyChange({ change = {}, ...search }: LabSearch): LabSearch {
  const { impersonal: _impersonal, unfiltered, surface, ...tuning } = change;
  const said = Object.fromEntries(Object.entries(tuning).filter(([, value]) => value !== undefined));
  return {
    ...search,
    ...said,
    ...(surface !== undefined && { surface: surface === '' ? undefined : surface }),
    ...(unfiltered && { filters: undefined }),
  };
}

/** Returns what a question still lacks; null if it is complete. */
export function missingOf({ path = 'feed', items = [], query }: LabSearch): 'item' | 'query' | null {
  if (['similar', 'next', 'together'].includes(path) && items.length === 0) return 'item';
  return path === 'search/suggest' && query === undefined ? 'query' : null;
}

/** Returns the request body; values not given are left to the API. */
export function requestOf(search: LabSearch): { path: LabPath; request: Record<string, unknown> } {
  const { path = 'feed', user, kind = 'user_id', surface, limit, seen, filters } = search;
  const isSuggest = path === 'search/suggest';
  const request = {
    ...subjectOf(search),
    user: user === undefined ? undefined : { [kind]: user },
    surface,
    limit: limit !== undefined && isSuggest ? Math.min(limit, contentLimits.searchSuggest_limit) : limit,
    include_seen: seen,
    filters,
    ...(!isSuggest && { ...orderOf(search), fields: ['title'] }),
  };
  return { path, request: Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined)) };
}

function subjectOf({ path = 'feed', items = [], query, period, rising, region }: LabSearch): Record<string, unknown> {
  switch (path) {
    case 'similar':
      return { item: items[0] };
    case 'next':
    case 'together':
      return { items: items.slice(0, maxItems(path)) };
    case 'popular':
      return { period, kind: rising ? 'trending' : undefined, region };
    case 'search':
    case 'search/suggest':
      return { query: query ?? '' };
    case 'feed':
      return {};
  }
}

function orderOf({ diversity, exploration, city, country }: LabSearch): Record<string, unknown> {
  const isSomewhere = city !== undefined || country !== undefined;
  return { diversity, exploration, context: isSomewhere ? { city, country } : undefined };
}

/** The move of an item in the answer to a changed question. */
export type Move = 'new' | 'same' | number;

/**
 * Compares two answers, given as ordered lists of ids: returns for each item the number of places that it moved up (3:
 * three places), and the removed items.
 */
export function compare(before: readonly string[], after: readonly string[]) {
  const moves = new Map<string, Move>();
  for (const [index, id] of after.entries()) {
    const former = before.indexOf(id);
    moves.set(id, former === -1 ? 'new' : former === index ? 'same' : former - index);
  }
  const gone = before.filter((id) => !moves.has(id));
  const values = [...moves.values()];
  return {
    moves,
    gone,
    added: values.filter((move) => move === 'new').length,
    moved: values.filter((move) => typeof move === 'number').length,
  };
}
