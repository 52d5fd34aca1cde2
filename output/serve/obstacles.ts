/**
 * Explains why an item may not be shown by a request: the verdict of the request's check (allowedCandidates.ts), rule
 * by rule.
 */
import type pg from 'pg';
import { readCandidateItems } from '../../db/output/candidateItems.ts';
import { readSeenItems } from '../../db/output/person/seen.ts';
import { passesFilter } from '../../domain/output/propertyFilters.ts';
import { brokenRules, type ItemForRules, type ShowRule } from '../../domain/output/mayShow.ts';
import { candidateForRules, partsOf } from './candidates/allowedCandidates.ts';
import { suppression } from './candidates/suppressSimilar.ts';
import { excludesSeen, type RequestContext } from './openRequest.ts';
import type { NamedPath } from './request/pathsAndDefaults.ts';
import type { OutputRequest } from './request/outputRequest.ts';
import { excludedAuthors, excludedItems } from './request/requestRules.ts';

/** In the order of the answer. */
export const OBSTACLES = [
  'unknown',
  'deleted',
  'unavailable',
  'failed',
  'subject',
  'excluded',
  'hidden',
  'suppressed',
  'near_suppressed',
  'met_with_suppressed',
  'seen',
  'type',
  'author',
  'excluded_author',
  'hidden_author',
  'published_after',
  'published_before',
  'age_rating',
  'interest',
  'filter',
] as const;
export type ObstacleCode = (typeof OBSTACLES)[number];

export interface Obstacle {
  code: ObstacleCode;
  /**
   * The item's value that is the obstacle: its author, type, age rating or time; for a filter the property. Null when
   * there is none.
   */
  value: string | null;
}

/** The obstacles of one item, and the data needed to place it. */
export interface ItemObstacles {
  obstacles: Obstacle[];
  /** Null when the item has no author or is unknown. */
  author: string | null;
}

/**
 * Returns everything that keeps an item out of the answers to a request; empty when the check lets it pass. Like the
 * check it uses the current tables.
 * @throws when the database does not answer
 */
export async function findObstacles(
  pool: pg.Pool,
  request: OutputRequest<NamedPath>,
  { person, asked }: RequestContext,
  itemId: string,
): Promise<ItemObstacles> {
  const { projectId } = request;
  const { rules, suppressed } = asked;
  const parts = partsOf(rules, new Set(), new Set(['properties', 'analysis']));
  const [items, seen, near] = await Promise.all([
    readCandidateItems(pool, projectId, { ids: [itemId], excludeSeenBy: [], parts }),
    excludesSeen(request, person) ? readSeenItems(pool, projectId, person.memberIds, [itemId]) : new Set<string>(),
    suppression({ pool, projectId, suppressed })([itemId]),
  ]);
  const item = items.get(itemId);
  if (!item) return { obstacles: [{ code: 'unknown', value: null }], author: null };
  const checked = candidateForRules(rules, item);
  const itself = excludedItems(request, person).suppressed.includes(itemId);
  const found: Obstacle[] = [
    ...brokenRules(checked, rules).flatMap((rule) => obstaclesOf(rule, checked, { request, person, rules })),
    ...(near.has(itemId) && !itself ? [{ code: 'near_suppressed' as const, value: null }] : []),
    ...(seen.has(itemId) ? [{ code: 'seen' as const, value: null }] : []),
  ];
  const obstacles = found.toSorted((a, b) => OBSTACLES.indexOf(a.code) - OBSTACLES.indexOf(b.code));
  return { obstacles, author: item.author };
}

interface ObstacleContext extends Pick<RequestContext, 'person'> {
  request: OutputRequest<NamedPath>;
  rules: RequestContext['asked']['rules'];
}

/** Returns a broken rule as obstacles, one for each of the lists that break it. */
function obstaclesOf(rule: ShowRule, item: ItemForRules, { request, person, rules }: ObstacleContext): Obstacle[] {
  switch (rule) {
    case 'excluded_item':
      return namesWith(excludedItems(request, person), item.id).map((code) => ({ code, value: null }));
    case 'excluded_author':
      return namesWith(excludedAuthors(request, person), item.author).map((code) => ({ code, value: item.author }));
    case 'filter':
      return rules.filters
        .filter((filter) => !passesFilter(filter, item.properties))
        .map(({ property }) => ({ code: rule, value: property }));
    case 'type':
      return [{ code: rule, value: item.type }];
    case 'author':
      return [{ code: rule, value: item.author }];
    case 'age_rating':
      return [{ code: rule, value: item.ageRating }];
    case 'published_after':
    case 'published_before':
      return [{ code: rule, value: item.publishedAt.toISOString() }];
    case 'deleted':
    case 'unavailable':
    case 'failed':
    case 'interest':
      return [{ code: rule, value: null }];
  }
}

/** Returns the names of the lists that contain the value. */
function namesWith<Name extends string>(lists: Record<Name, readonly string[]>, value: string | null): Name[] {
  return (Object.keys(lists) as Name[]).filter((name) => value !== null && lists[name].includes(value));
}
