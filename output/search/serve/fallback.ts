/**
 * Answers a search while selection is unavailable: items by words of their titles, or the newest for a query without
 * words.
 */
import { findItemsByTitle } from '../../../db/search/itemsByTitle.ts';
import { listNewestItems } from '../../../db/output/newest.ts';
import type { ListFilter } from '../../../domain/output/listFilter.ts';
import type { CandidateParts } from '../../../db/output/candidateItems.ts';
import type { CatalogueItem } from '../../../db/output/catalogueChanges.ts';
import type { Queryable } from '../../../db/pool.ts';
import { boostOf, type Boost } from '../../../domain/output/boosts.ts';
import { propertyValues, type Scalar } from '../../../domain/output/propertyFilters.ts';
import { recency } from '../../../domain/output/recency.ts';
import { plainText } from '../../../domain/items/plainText.ts';
import { parseQuery, type QueryPart } from '../../../domain/search/parseQuery.ts';
import {
  nameOfFacet,
  type FacetCount,
  type FacetName,
  type SearchSort,
} from '../../../domain/search/facetAndSortNames.ts';
import type { Candidate, Finalist, KeepAllowed } from '../../serve/candidates/allowedCandidates.ts';
import { wordsOf } from '../text/indexedWords.ts';
import { PhraseFinder } from '../text/phraseFinder.ts';
import type { SearchRequest } from './searchRequest.ts';
import { totalsOf } from './storedPopularity.ts';
import { phraseStems, withoutPhrases } from './excludedPhrases.ts';
import { FACET_VALUES } from '../match/facets.ts';
import { SCORE_DIGITS } from '../../scoreDigits.ts';

/** Maximum number of candidates. All are checked, for the total, which takes some 30 ms. */
const MAX_CANDIDATES = 500;

/** Returns the parts of the items that are needed to count and sort the hits here. */
export function partsCounted({ facets, sort, boosts }: SearchRequest): (keyof CandidateParts)[] {
  const kinds = new Set([sort.by.kind, ...facets.map(({ kind }) => kind)]);
  const isOfProperties = kinds.has('property') || boosts.length > 0;
  return [
    ...(isOfProperties ? ['properties' as const] : []),
    ...(kinds.has('tags') || kinds.has('topics') ? ['analysis' as const] : []),
  ];
}

/** Returns everything that the pages will show, in order. @throws when the database does not answer */
export async function fallbackHits(
  { pool }: { pool: Queryable },
  request: SearchRequest,
  keepAllowed: KeepAllowed,
): Promise<Finalist[]> {
  const { projectId, boosts, sort } = request;
  const candidates = await listCandidates(pool, request);
  const hits = boosted(await keepAllowed(candidates), boosts);
  const ids = hits.map(({ id }) => id);
  const totals = sort.by.kind === 'popular' ? await totalsOf(pool, projectId, ids) : new Map<string, number>();
  return sorted(hits, sort, totals);
}

async function listNewest(pool: Queryable, projectId: string, listFilter: ListFilter): Promise<Candidate[]> {
  const items = await listNewestItems(pool, projectId, listFilter, MAX_CANDIDATES);
  return items.map(({ id }) => ({ id, score: 1, reason: { code: 'match' } }));
}

async function listCandidates(pool: Queryable, request: SearchRequest): Promise<readonly Candidate[]> {
  const { projectId, query, types, authors, publishedAfter, publishedBefore } = request;
  const listFilter = { types, authors, publishedAfter, publishedBefore };
  const parts = parseQuery(query);
  const excluded = parts.filter(({ isExcluded }) => isExcluded);
  const included = parts.filter(({ isExcluded }) => !isExcluded);
  const hasWords = included.some(({ text }) => wordsOf(text).length > 0);
  // Nothing matches a query of mere signs.
  if (!hasWords && excluded.length === 0 && query.trim() !== '') return [];
  const found = hasWords
    ? await findByTitle(pool, projectId, included, listFilter)
    : await listNewest(pool, projectId, listFilter);
  return withoutPhrases(pool, projectId, found, excluded.map(phraseStems));
}

async function findByTitle(
  pool: Queryable,
  projectId: string,
  included: readonly QueryPart[],
  listFilter: ListFilter,
): Promise<Candidate[]> {
  const text = included.map((part) => part.text).join(' ');
  const queryWords = wordsOf(text).length;
  const phrases = included.filter(({ isPhrase }) => isPhrase).map(phraseStems);
  const finder = new PhraseFinder(phrases);
  const found = await findItemsByTitle(pool, projectId, { text, ...listFilter }, MAX_CANDIDATES);
  const now = Date.now();
  return found
    .filter(({ title }) => phrases.length === 0 || finder.hasAll(wordsOf(plainText(title))))
    .map(({ id, publishedAt, words }) => ({
      id,
      // A title with few other words is about the query; ties go to the newer item.
      score: Number(
        ((queryWords / Math.max(words, queryWords, 1)) * 0.9 + 0.1 * recency(publishedAt, now)).toFixed(SCORE_DIGITS),
      ),
      reason: { code: 'match' as const },
    }))
    .toSorted((a, b) => b.score - a.score);
}

/** Multiplies the scores of the hits by the boosts, and orders the hits by the new scores. */
function boosted(hits: Finalist[], boosts: readonly Boost[]): Finalist[] {
  if (boosts.length === 0) return hits;
  return hits
    .map((hit) => {
      const factor = boostOf(boosts, hit.item.properties);
      return factor === 1 ? hit : { ...hit, score: Number((hit.score * factor).toFixed(SCORE_DIGITS)), factor };
    })
    .toSorted((a, b) => b.score - a.score);
}

/** @param totals the popularity of the hits; missing items have none */
function sorted(hits: Finalist[], { by, dir }: SearchSort, totals: ReadonlyMap<string, number>): Finalist[] {
  const sign = dir === 'asc' ? 1 : -1;
  const publishedAt = ({ item }: Finalist): number => item.publishedAt.getTime();
  switch (by.kind) {
    case 'relevance':
      return dir === 'asc' ? hits.toReversed() : hits;
    case 'popular': {
      const totalOf = ({ id }: Finalist): number => totals.get(id) ?? 0;
      return hits.toSorted((a, b) => sign * (totalOf(a) - totalOf(b)) || publishedAt(b) - publishedAt(a));
    }
    case 'published_at':
      return hits.toSorted((a, b) => sign * (publishedAt(a) - publishedAt(b)));
    case 'property': {
      const keyOf = ({ item }: Finalist): number => {
        const value = propertyValues(item.properties?.[by.property], by.type)?.[0];
        return value === undefined ? Infinity : sign * Number(value);
      };
      return hits.toSorted((a, b) => keyOf(a) - keyOf(b) || 0);
    }
  }
}

/** Counts facets over everything that the pages will show. */
export function countFacets(hits: readonly Finalist[], facets: readonly FacetName[]): FacetCount[] {
  return facets.map((facet) => {
    const counts = new Map<Scalar, number>();
    for (const { item } of hits)
      for (const value of new Set(valuesOf(item, facet))) counts.set(value, (counts.get(value) ?? 0) + 1);
    const values = Array.from(counts, ([value, count]) => ({ value, count }))
      .toSorted((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
      .slice(0, FACET_VALUES);
    return { name: nameOfFacet(facet), values };
  });
}

function valuesOf(item: CatalogueItem, facet: FacetName): readonly Scalar[] {
  switch (facet.kind) {
    case 'types':
      return [item.type];
    case 'authors':
      return item.author === null ? [] : [item.author];
    case 'tags':
    case 'topics':
      return item[facet.kind];
    case 'property': {
      const values = propertyValues(item.properties?.[facet.property], facet.type) ?? [];
      return facet.type === 'datetime' ? values.map((value) => new Date(Number(value)).toISOString()) : values;
    }
  }
}
