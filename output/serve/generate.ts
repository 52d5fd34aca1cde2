/** Where candidates come from: selection, or a list when it does not answer. */
import type { OutputMode } from '../../domain/output/recommendationId.ts';
import type { ShowRules } from '../../domain/output/rules.ts';
import { PLAIN_ORDERING, type RankQuestion } from '../selection/messages.ts';
import type { Candidate } from './candidates.ts';
import type { FallbackLists } from './fallbackLists.ts';
import type { OutputRequest } from './request.ts';
import type { SelectionClient } from './selectionClient.ts';
import type { Tasting } from './taste.ts';

export interface Batch {
  candidates: readonly Candidate[];
  mode: OutputMode;
  model: string | null;
  /** Nothing comes after these. */
  isAll: boolean;
}

export interface Generator {
  /**
   * The best candidates beside those that were met already.
   * @returns null when no more can be had in time; the first time there is always an answer
   * @throws when the database does not answer
   */
  next(met: ReadonlySet<string>, limit: number): Promise<Batch | null>;
}

export interface GeneratorDeps {
  selection: SelectionClient;
  fallback: FallbackLists;
}

interface Asked {
  rules: ShowRules;
  suppressed: readonly string[];
  tasting: Tasting;
  /** Of the chance that new items are tried by. */
  seed: number;
}

/** Ids that a question names to leave out: it stays below what selection reads, and the judge knows all of them. */
const MOST_EXCLUDED = 5_000;

export function createGenerator(deps: GeneratorDeps, request: OutputRequest, asked: Asked): Generator {
  const { selection } = deps;
  const until = performance.now() + selection.deadlineMs;
  const fromList = listReader(deps.fallback, request);
  let origin: 'unknown' | 'selection' | 'list' = 'unknown';
  return {
    async next(met, limit) {
      if (origin === 'list') return fromList();
      const answer = await selection.rank(questionOf(request, asked, met, limit), until - performance.now());
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

function questionOf(
  { projectId, path, subjects, exploration, explain, includeSeen }: OutputRequest,
  { rules, suppressed, tasting, seed }: Asked,
  met: ReadonlySet<string>,
  limit: number,
): RankQuestion {
  return {
    ...path.asking({ subjects, ...tasting, exploration, seed, explain }),
    projectId,
    rules: { ...rules, excludedItems: new Set([...rules.excludedItems].slice(0, MOST_EXCLUDED)) },
    suppressed,
    // What was met is left out here as well, since it is what fits best.
    passedOver: includeSeen ? [...met] : [...met, ...tasting.taste.items.map(({ item }) => item)],
    ordering: PLAIN_ORDERING,
    limit,
  };
}

/** First what is kept of the project; then, where conditions leave too little of it, what fulfils them. */
function listReader(
  lists: FallbackLists,
  { projectId, path: { fallback }, types, authors, publishedAfter, publishedBefore }: OutputRequest,
): () => Promise<Batch> {
  const isConditional = [types, authors, publishedAfter, publishedBefore].some((condition) => condition !== null);
  let isFirst = true;
  return async () => {
    const isAll = !isFirst || !isConditional;
    const candidates = isFirst
      ? await lists.common(fallback, projectId)
      : await lists.wanted(fallback, projectId, { types, authors, publishedAfter, publishedBefore });
    isFirst = false;
    return { candidates, mode: 'fallback', model: null, isAll };
  };
}
