/** Generates candidates: from selection, or from a list when it does not answer. */
import type pg from 'pg';
import type { OutputMode } from '../../../domain/output/recommendationId.ts';
import type { ListFilter } from '../../../domain/output/listFilter.ts';
import type { ShowRules } from '../../../domain/output/mayShow.ts';
import type { Ordering, RankQuestion } from '../../messages/selectionMessages.ts';
import type { Candidate } from './allowedCandidates.ts';
import type { FallbackLists } from './fallbackLists.ts';
import { reorderByBoostsAndRotation } from './reorderByBoostsAndRotation.ts';
import type { OutputRequest } from '../request/outputRequest.ts';
import type { Lowered } from './rotation.ts';
import type { SelectionClient } from './selectionClient.ts';
import type { PersonContext } from './taste.ts';

export interface Batch {
  candidates: readonly Candidate[];
  mode: OutputMode;
  model: string | null;
  /** There are no further candidates. */
  isAll: boolean;
}

/** The state of the candidates so far. */
export interface Progress {
  /** Items that are not to be returned again. */
  excluded: ReadonlySet<string>;
  /** Those of the excluded items that will be on the page, in order. */
  kept: readonly string[];
  limit: number;
}

export interface Generator {
  /**
   * Returns the best candidates that are not excluded.
   * @returns null when no more are available in time; the first call always returns some
   * @throws when the database does not answer
   */
  next(progress: Progress): Promise<Batch | null>;
}

export interface GeneratorDeps {
  pool: pg.Pool;
  selection: SelectionClient;
  fallback: FallbackLists;
}

export interface GeneratorInput {
  rules: ShowRules;
  suppressed: readonly string[];
  tasting: PersonContext;
  /** Items that are moved down. */
  lowered: Lowered;
  /** Items on earlier pages, in order. */
  shown: ReadonlySet<string>;
  /**
   * Reads everything that the person has met, up to 50,000 items (db/output/person/seen.ts), if the answer leaves these
   * out; returns nothing otherwise.
   */
  readSeen(): Promise<readonly string[]>;
  /** Seed of the random choice of new items. */
  seed: number;
}

/**
 * Maximum number of ids that a question excludes: it stays below the body limit of selection, and the check knows all
 * of them in any case.
 */
const MAX_EXCLUDED = 5_000;
/**
 * Number of questions after which a question names everything that the person has met. If some 900 candidates have not
 * filled a page of the usual size, most of the best ones are probably items that the person has met.
 */
const QUESTIONS_UNTIL_MET = 4;
export function createGenerator(deps: GeneratorDeps, request: OutputRequest, input: GeneratorInput): Generator {
  const { selection } = deps;
  const until = performance.now() + selection.deadlineMs;
  const fromList = listReader(deps, request, input.lowered);
  let origin: 'unknown' | 'selection' | 'list' = 'unknown';
  let questions = 0;
  let history: readonly string[] = [];
  return {
    async next(progress) {
      if (origin === 'list') return fromList();
      if (questions === QUESTIONS_UNTIL_MET) history = await input.readSeen();
      questions += 1;
      const answer = await selection.rank(questionOf(request, input, progress, history), until - performance.now());
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

/** @param history items that the person has met, besides those that are known anyway */
function questionOf(
  request: OutputRequest,
  input: GeneratorInput,
  progress: Progress,
  history: readonly string[],
): RankQuestion {
  const { projectId, path, subjects, exploration, explain, includeSeen, model, changedAt } = request;
  const { rules, suppressed, tasting, seed } = input;
  const { excluded, limit } = progress;
  return {
    ...path.questionFields({ subjects, ...tasting, exploration, seed, explain, model }),
    projectId,
    rules: { ...rules, excludedItems: new Set([...rules.excludedItems].slice(0, MAX_EXCLUDED)) },
    suppressed,
    // The check leaves met items out, too. As the best matches they would fill the answer, so they are passed over
    // here.
    passedOver: includeSeen ? [...excluded] : [...excluded, ...history, ...tasting.taste.items.map(({ item }) => item)],
    ordering: orderingOf(request, input, progress),
    limit,
    changedAt,
  };
}

/** Factor of the positions that diversity arranges: some of the items there will be rejected. */
const ARRANGED_FACTOR = 1.5;

function orderingOf(
  { boosts, diversity, maxPerAuthor, limit: places }: OutputRequest,
  { lowered, shown }: GeneratorInput,
  { kept, limit }: Progress,
): Ordering {
  return {
    boosts,
    lowered,
    // The limit per author grows with the number of requested candidates.
    perAuthor: maxPerAuthor === null ? null : maxPerAuthor * Math.ceil(limit / places),
    diversity,
    before: [...shown, ...kept],
    places: Math.ceil((places + 1) * ARRANGED_FACTOR),
  };
}

/** Reads first the project's cached list; then, where conditions leave too little of it, items that meet them. */
function listReader(
  { pool, fallback: lists }: GeneratorDeps,
  request: OutputRequest,
  lowered: Lowered,
): () => Promise<Batch> {
  const { projectId, types, authors, publishedAfter, publishedBefore } = request;
  const wanted: ListFilter = { types, authors, publishedAfter, publishedBefore };
  const isConditional = Object.values(wanted).some((condition) => condition !== null);
  let isFirst = true;
  return async () => {
    const isAll = !isFirst || !isConditional;
    const candidates = isFirst ? await lists.common(projectId) : await lists.wanted(projectId, wanted);
    isFirst = false;
    const ordered = await reorderByBoostsAndRotation(pool, candidates, { projectId, boosts: request.boosts, lowered });
    return { candidates: ordered, mode: 'fallback', model: null, isAll };
  };
}
