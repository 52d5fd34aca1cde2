/**
 * Serves a request: candidates are generated with their scores (generateCandidates.ts), checked (allowedCandidates.ts),
 * gathered until they fill the page (gatherFinalists.ts), and arranged; then the page is stored (answerPage.ts). When
 * the ranking fails, generateCandidates.ts makes a fallback.
 */
import type pg from 'pg';
import { readAllSeen } from '../../db/output/person/seen.ts';
import { arrangePage } from './page/arrangePage.ts';
import { gather } from './candidates/gatherFinalists.ts';
import { createGenerator, type GeneratorDeps } from './candidates/generateCandidates.ts';
import type { OutputMetrics } from './metrics.ts';
import { excludesSeen, openRequest, type RequestContext, type OpeningDeps } from './openRequest.ts';
import { hash32 } from '../../domain/hash32.ts';
import { newPage, samePage, type OutputAnswer, type PageDeps } from './page/answerPage.ts';
import type { PagePosition } from './request/cursors.ts';
import type { PageTurns } from './page/pageTurns.ts';
import { readPinned } from './page/pinned.ts';
import type { OutputRequest } from './request/outputRequest.ts';
import { readLowered } from './candidates/rotation.ts';
import { personContextOf } from './candidates/taste.ts';

export interface OutputDeps extends GeneratorDeps, PageDeps, OpeningDeps {
  pool: pg.Pool;
  metrics: OutputMetrics;
  turns: PageTurns;
  /** Returns the seed for the random choices of a first page. */
  drawSeed(): number;
}

/**
 * @throws {LostPageError} when the page that the cursor continues is unknown
 * @throws when the database does not answer
 */
export function serveOutput(deps: OutputDeps, request: OutputRequest): Promise<OutputAnswer> {
  return deps.turns.inTurn(request.projectId, request.position, () => servePage(deps, request));
}

async function servePage(deps: OutputDeps, request: OutputRequest): Promise<OutputAnswer> {
  const opening = await openRequest(deps, request);
  const { keepAllowed, earlier } = opening;
  const answer =
    earlier.page === null
      ? await rankPage(deps, request, opening)
      : await samePage(deps, request, { keepAllowed, page: earlier.page });
  deps.metrics.answered(request.path.name, answer.mode, performance.now() - request.startedAt);
  return answer;
}

async function rankPage(
  deps: OutputDeps,
  request: OutputRequest,
  { person, keepAllowed, asked, earlier: { shown } }: RequestContext,
): Promise<OutputAnswer> {
  const [lowered, pinned] = await Promise.all([
    readLowered(deps.pool, deps.snapshots, request, person),
    readPinned(request, keepAllowed, shown),
  ]);
  const tasting = personContextOf(request, person);
  const gathered = await gather(request.limit + 1, {
    generator: createGenerator(deps, request, {
      ...asked,
      tasting,
      lowered,
      shown,
      readSeen: async () =>
        excludesSeen(request, person) ? readAllSeen(deps.pool, request.projectId, person.memberIds) : [],
      seed: seedOf(deps, request.position),
    }),
    keepAllowed,
    excluded: new Set([...shown, ...pinned.map(({ finalist }) => finalist.id)]),
    isEnough(finalists) {
      const page = arrangePage(request, { finalists, pinned, isAll: false });
      return page.shown.length === request.limit && page.left > 0;
    },
  });
  const arranged = arrangePage(request, { ...gathered, pinned });
  return newPage(deps, request, { person, gathered, arranged });
}

/** Later pages have the same seed in every process: two that make the same page at once choose alike. */
function seedOf({ drawSeed }: OutputDeps, position: PagePosition | null): number {
  return position === null ? drawSeed() : hash32(`${position.recommendationId} ${position.page}`);
}
