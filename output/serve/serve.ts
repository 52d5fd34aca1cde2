/** From a request to its answer: the person, the rules, the ranking or its stand-in, the finalists, the snapshot. */
import type pg from 'pg';
import type { CatalogueItem } from '../../db/output/catalogue.ts';
import { readOutputPerson, type OutputPerson } from '../../db/output/person.ts';
import { newRecommendationId, type OutputMode } from '../../domain/output/recommendationId.ts';
import { takeFinalists, type Candidate, type Finalist, type Judging } from './candidates.ts';
import type { FallbackLists } from './fallbackLists.ts';
import type { OutputMetrics } from './metrics.ts';
import { readShownBefore, writePlace } from './pages.ts';
import type { OutputRequest } from './request.ts';
import { rulesOf } from './rulesOf.ts';
import type { SelectionClient } from './selectionClient.ts';
import type { SnapshotWriter } from './snapshotWriter.ts';

export interface OutputDeps {
  pool: pg.Pool;
  selection: SelectionClient;
  fallback: FallbackLists;
  snapshots: SnapshotWriter;
  metrics: OutputMetrics;
}

export type ReasonCode =
  | 'because_item'
  | 'similar'
  | 'together'
  | 'interest'
  | 'author'
  | 'popular'
  | 'trending'
  | 'region'
  | 'new'
  | 'pinned'
  | 'match';

export interface Shown {
  item: CatalogueItem;
  position: number;
  score: number;
  reason: { code: ReasonCode; item?: string };
}

export interface OutputAnswer {
  recommendationId: string;
  mode: OutputMode;
  model: string | null;
  shown: readonly Shown[];
  nextCursor: string | null;
}

/** What is asked of selection for one place of the page: some of what it ranks is gone by the time it is judged. */
const RANKED_FACTOR = 3;
const RANKED_MIN = 60;

/** @throws when the database does not answer */
export async function serveOutput(deps: OutputDeps, request: OutputRequest): Promise<OutputAnswer> {
  const { pool } = deps;
  const { projectId, place } = request;
  const started = performance.now();
  const [person, passedOver] = await Promise.all([
    readOutputPerson(pool, projectId, request.identifiers),
    place === null ? new Set<string>() : readShownBefore(pool, projectId, place),
  ]);
  const rules = rulesOf(request, person);
  const judging: Judging = {
    pool,
    projectId,
    rules,
    suppressed: person?.suppressedItems ?? [],
    passedOver,
    seenBy: request.includeSeen || !person?.personalization ? [] : person.memberIds,
  };
  const { mode, model, candidates } = await rankOrFallBack(deps, request, judging);
  // One more than the page holds tells whether there is another.
  const finalists = await takeFinalists(candidates, request.limit + 1, judging);
  deps.metrics.answered(mode, performance.now() - started);
  return answerWith(deps, request, { person, mode, model, finalists });
}

interface Ranking {
  mode: OutputMode;
  model: string | null;
  candidates: readonly Candidate[];
}

async function rankOrFallBack(deps: OutputDeps, request: OutputRequest, judging: Judging): Promise<Ranking> {
  const { projectId, subjects, limit } = request;
  const { rules } = judging;
  const answer = await deps.selection.rank({
    projectId,
    subjects,
    rules,
    suppressed: judging.suppressed,
    passedOver: [...judging.passedOver],
    limit: Math.max(RANKED_MIN, limit * RANKED_FACTOR),
  });
  if (answer) return { mode: 'contextual', model: answer.model, candidates: answer.ranked };
  const ids = await deps.fallback.idsOf(projectId);
  return {
    mode: 'fallback',
    model: null,
    candidates: ids.map((id, at) => ({ id, score: 1 - at / ids.length, because: null })),
  };
}

interface Outcome extends Omit<Ranking, 'candidates'> {
  person: OutputPerson | null;
  finalists: readonly Finalist[];
}

function answerWith(
  { snapshots }: OutputDeps,
  request: OutputRequest,
  { person, mode, model, finalists }: Outcome,
): OutputAnswer {
  const { projectId, limit, place, bodyHash, surface } = request;
  const recommendationId = place?.recommendationId ?? newRecommendationId({ mode, variant: null });
  const page = place?.page ?? 0;
  const firstPosition = place?.firstPosition ?? 0;
  const shown = finalists.slice(0, limit).map((finalist, at) => shownAt(finalist, firstPosition + at));
  if (shown.length > 0)
    snapshots.add({
      projectId,
      id: recommendationId,
      page,
      identityId: person?.personalization ? person.rootId : null,
      surface,
      mode,
      model,
      variant: null,
      itemIds: shown.map(({ item }) => item.id),
      firstPosition,
      createdAt: new Date(),
    });
  const next = { recommendationId, page: page + 1, firstPosition: firstPosition + shown.length, bodyHash };
  return { recommendationId, mode, model, shown, nextCursor: finalists.length > limit ? writePlace(next) : null };
}

function shownAt({ item, score, because }: Finalist, position: number): Shown {
  const reason = because === null ? { code: 'new' as const } : { code: 'similar' as const, item: because };
  return { item, position, score, reason };
}
