/** Collects the finalists of a page from batches of candidates: rejected ones are replaced as long as there is time. */
import type { OutputMode } from '../../../domain/output/recommendationId.ts';
import type { Candidate, Finalist, KeepAllowed } from './allowedCandidates.ts';
import type { Generator } from './generateCandidates.ts';

export interface Gathering {
  generator: Generator;
  keepAllowed: KeepAllowed;
  /** Items shown on earlier pages, and those that get on the page in another way. */
  excluded: ReadonlySet<string>;
  /** Returns true when the finalists fill the page, and there is something left for the next one. */
  isEnough(finalists: readonly Finalist[]): boolean;
}

export interface Gathered {
  mode: OutputMode;
  model: string | null;
  finalists: Finalist[];
  /** There are no other candidates. */
  isAll: boolean;
}

/** Candidates requested per position of the page: some may not pass the check any more. */
const ASKED_FACTOR = 3;
const ASKED_MIN = 60;
const ASKED_MAX = 1_000;
/** Maximum number of rounds. Each requests twice as many candidates as the one before: some 5,000 altogether. */
const ROUNDS = 8;
/** Candidates checked at a time, per finalist still missing: nearly all pass, and each is a row to read. */
const JUDGED_FACTOR = 1.25;
const JUDGED_MIN = 10;

/**
 * @param wanted usual number of finalists for a page
 * @throws when the database does not answer
 */
export async function gather(wanted: number, gathering: Gathering): Promise<Gathered> {
  const { generator, isEnough } = gathering;
  const excluded = new Set(gathering.excluded);
  const gathered: Gathered = { mode: 'fallback', model: null, finalists: [], isAll: false };
  let size = Math.max(ASKED_MIN, wanted * ASKED_FACTOR);
  for (let round = 1; round <= ROUNDS; round += 1) {
    const batch = await generator.next({ excluded, kept: gathered.finalists.map(({ id }) => id), limit: size });
    if (!batch) break;
    if (round === 1) Object.assign(gathered, { mode: batch.mode, model: batch.model });
    const isThrough = await takeFrom(batch.candidates, wanted, { ...gathering, excluded, gathered });
    gathered.isAll = batch.isAll && isThrough;
    if (batch.isAll || isEnough(gathered.finalists)) break;
    size = Math.min(ASKED_MAX, size * 2);
  }
  return gathered;
}

interface Taking extends Gathering {
  excluded: Set<string>;
  gathered: Gathered;
}

/** @returns true when all of the candidates were checked */
async function takeFrom(
  candidates: readonly Candidate[],
  wanted: number,
  { excluded, gathered: { finalists }, keepAllowed, isEnough }: Taking,
): Promise<boolean> {
  const fresh = candidates.filter(({ id }) => !excluded.has(id));
  let at = 0;
  while (at < fresh.length && !isEnough(finalists)) {
    const size = Math.max(JUDGED_MIN, Math.ceil((wanted - finalists.length) * JUDGED_FACTOR));
    const some = fresh.slice(at, at + size);
    finalists.push(...(await keepAllowed(some)));
    for (const { id } of some) excluded.add(id);
    at += size;
  }
  return at >= fresh.length;
}
