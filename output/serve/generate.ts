/** Where candidates come from: selection, or a list when it does not answer. */
import type pg from 'pg';
import type { OutputMode } from '../../domain/output/recommendationId.ts';
import type { ShowRules } from '../../domain/output/mayShow.ts';
import type { Ordering, RankQuestion } from '../selection/messages.ts';
import type { Candidate } from './candidates.ts';
import type { FallbackLists } from './fallbackLists.ts';
import { reordered } from './reordered.ts';
import type { OutputRequest } from './request.ts';
import type { Lowered } from './rotation.ts';
import type { SelectionClient } from './selectionClient.ts';
import type { Tasting } from './taste.ts';

export interface Batch {
  candidates: readonly Candidate[];
  mode: OutputMode;
  model: string | null;
  /** Nothing comes after these. */
  isAll: boolean;
}

/** What has become of the candidates so far. */
export interface Progress {
  /** They are not to come again. */
  met: ReadonlySet<string>;
  /** Those of them that are to stand on the page, in their order. */
  kept: readonly string[];
  limit: number;
}

export interface Generator {
  /**
   * The best candidates beside those that were met already.
   * @returns null when no more can be had in time; the first time there is always an answer
   * @throws when the database does not answer
   */
  next(progress: Progress): Promise<Batch | null>;
}

export interface GeneratorDeps {
  pool: pg.Pool;
  selection: SelectionClient;
  fallback: FallbackLists;
}

export interface Asked {
  rules: ShowRules;
  suppressed: readonly string[];
  tasting: Tasting;
  /** Items that are to come further down. */
  lowered: Lowered;
  /** On earlier pages, in their order. */
  shown: ReadonlySet<string>;
  /** Of the chance that new items are tried by. */
  seed: number;
}

/** Ids that a question names to leave out: it stays below what selection reads, and the judge knows all of them. */
const MOST_EXCLUDED = 5_000;

export function createGenerator(deps: GeneratorDeps, request: OutputRequest, asked: Asked): Generator {
  const { selection } = deps;
  const until = performance.now() + selection.deadlineMs;
  const fromList = listReader(deps, request, asked.lowered);
  let origin: 'unknown' | 'selection' | 'list' = 'unknown';
  return {
    async next(progress) {
      if (origin === 'list') return fromList();
      const answer = await selection.rank(questionOf(request, asked, progress), until - performance.now());
      if (answer) {
        origin = 'selection';
        const { ranked: candidates, mode, model, isAll } = answer;
        return { candidates, mode, model, isAll };
      }
      if (origin === 'selection') return null;
      origin = 'list';
      return fromList();
    },
  };
}

function questionOf(request: OutputRequest, asked: Asked, progress: Progress): RankQuestion {
  const { projectId, path, subjects, exploration, explain, includeSeen, model } = request;
  const { rules, suppressed, tasting, seed } = asked;
  const { met, limit } = progress;
  return {
    ...path.asking({ subjects, ...tasting, exploration, seed, explain, model }),
    projectId,
    rules: { ...rules, excludedItems: new Set([...rules.excludedItems].slice(0, MOST_EXCLUDED)) },
    suppressed,
    // What was met is left out here as well, since it is what fits best.
    passedOver: includeSeen ? [...met] : [...met, ...tasting.taste.items.map(({ item }) => item)],
    ordering: orderingOf(request, asked, progress),
    limit,
  };
}

/** Of the places of a page, so many are arranged by diversity: some of what stands there is rejected. */
const ARRANGED_FACTOR = 1.5;

function orderingOf(
  { boosts, diversity, maxPerAuthor, limit: places }: OutputRequest,
  { lowered, shown }: Asked,
  { kept, limit }: Progress,
): Ordering {
  return {
    boosts,
    lowered,
    // As many times more of each author as candidates are asked for.
    perAuthor: maxPerAuthor === null ? null : maxPerAuthor * Math.ceil(limit / places),
    diversity,
    before: [...shown, ...kept],
    places: Math.ceil((places + 1) * ARRANGED_FACTOR),
  };
}

/** First what is kept of the project; then, where conditions leave too little of it, what fulfils them. */
function listReader(
  { pool, fallback: lists }: GeneratorDeps,
  request: OutputRequest,
  lowered: Lowered,
): () => Promise<Batch> {
  const { projectId, types, authors, publishedAfter, publishedBefore } = request;
  const isConditional = [types, authors, publishedAfter, publishedBefore].some((condition) => condition !== null);
  let isFirst = true;
  return async () => {
    const isAll = !isFirst || !isConditional;
    const candidates = isFirst
      ? await lists.common(projectId)
      : await lists.wanted(projectId, { types, authors, publishedAfter, publishedBefore });
    isFirst = false;
    const ordered = await reordered(pool, candidates, { projectId, boosts: request.boosts, lowered });
    return { candidates: ordered, mode: 'fallback', model: null, isAll };
  };
}
