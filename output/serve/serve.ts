/**
 * From a request to its answer: candidates are generated with their scores (generate.ts), filtered, judged
 * (candidates.ts), gathered until they fill the page (gather.ts), and arranged; the page is written down (page.ts).
 */
import { randomInt } from 'node:crypto';
import type pg from 'pg';
import { readOutputPerson, readSeenItems, type OutputPerson } from '../../db/output/person.ts';
import { arrangePage } from './arranged.ts';
import { createJudge, type Candidate, type Judge } from './candidates.ts';
import { gather } from './gather.ts';
import { createGenerator, type GeneratorDeps } from './generate.ts';
import type { OutputMetrics } from './metrics.ts';
import { newPage, samePage, type OutputAnswer, type PageDeps } from './page.ts';
import { readEarlierPages, type EarlierPages } from './pages.ts';
import { readPinned } from './pinned.ts';
import type { OutputRequest } from './request.ts';
import { readLowered } from './rotation.ts';
import { rulesOf, suppressedFor } from './rulesOf.ts';
import { readTaste } from './taste.ts';

export interface OutputDeps extends GeneratorDeps, PageDeps {
  pool: pg.Pool;
  metrics: OutputMetrics;
}

const SEEDS = 2 ** 31;
const FIRST_PAGE: EarlierPages = { shown: new Set(), page: null };

/**
 * @throws {LostPage} when the page that the cursor goes on from is not known
 * @throws when the database does not answer
 */
export async function serveOutput(deps: OutputDeps, request: OutputRequest): Promise<OutputAnswer> {
  const { pool, snapshots, metrics } = deps;
  const { projectId, place } = request;
  const started = performance.now();
  const [person, earlier] = await Promise.all([
    readOutputPerson(pool, projectId, request.identifiers),
    place === null ? FIRST_PAGE : readEarlierPages(pool, snapshots, projectId, place),
  ]);
  const asked = { rules: rulesOf(request, person), suppressed: suppressedFor(person) };
  const judge = createJudge({ pool, projectId, ...asked });
  const answer =
    earlier.page === null
      ? await rankPage(deps, request, { person, judge, asked, shown: earlier.shown, started })
      : await samePage(deps, request, { judge, page: earlier.page });
  metrics.answered(request.path.name, answer.mode, performance.now() - started);
  return answer;
}

interface Ranking {
  person: OutputPerson | null;
  judge: Judge;
  asked: Pick<Parameters<typeof createGenerator>[2], 'rules' | 'suppressed'>;
  /** On earlier pages. */
  shown: ReadonlySet<string>;
  started: number;
}

async function rankPage(
  deps: OutputDeps,
  request: OutputRequest,
  { person, judge, asked, shown, started }: Ranking,
): Promise<OutputAnswer> {
  const { pool, snapshots } = deps;
  const filter = (candidates: readonly Candidate[]): Promise<readonly Candidate[]> =>
    withoutMet(pool, request, person, candidates);
  const [tasting, lowered, pinned] = await Promise.all([
    readTaste(pool, request, person),
    readLowered(pool, snapshots, request, person),
    readPinned(request, { filter, judge }, shown),
  ]);
  const gathered = await gather(request.limit + 1, {
    generator: createGenerator(deps, request, { ...asked, tasting, lowered, shown, seed: randomInt(SEEDS) }),
    filter,
    judge,
    met: new Set([...shown, ...pinned.map(({ finalist }) => finalist.id)]),
    isEnough(finalists) {
      const page = arrangePage(request, { finalists, pinned, isAll: false });
      return page.shown.length === request.limit && page.left > 0;
    },
  });
  const arranged = arrangePage(request, { ...gathered, pinned });
  return newPage(deps, request, { person, gathered, arranged, started });
}

/** Leaves out what the person has met, where that is not to come; what has no history keeps everything. */
async function withoutMet(
  pool: pg.Pool,
  { projectId, includeSeen }: OutputRequest,
  person: OutputPerson | null,
  candidates: readonly Candidate[],
): Promise<readonly Candidate[]> {
  if (includeSeen || !person?.personalization) return candidates;
  const ids = candidates.map(({ id }) => id);
  const seen = await readSeenItems(pool, projectId, person.memberIds, ids);
  return candidates.filter(({ id }) => !seen.has(id));
}
