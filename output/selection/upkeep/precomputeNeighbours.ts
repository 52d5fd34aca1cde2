/** Computes the neighbour lists of popular items before anybody asks for them. */
import { Pace } from '../../../platform/process/concurrency/pace.ts';
import { TopNumbers } from '../../topNumbers.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';

/** Pause between two rounds of computing neighbour lists ahead. */
export const AHEAD_MS = 30_000;
/** Lists take a few milliseconds each; questions that arrive meanwhile are answered after this time. */
const TURN_MS = 3;
/** Rest after a turn, as a multiple of it, while people ask questions, and while nobody does. */
const REST_FACTOR = { busy: 9, idle: 1 };
/** Maximum rest: a process that was paused for an hour would otherwise rest for nine, and could not end meanwhile. */
const MAX_REST_MS = 1_000;
/** Slots that are looked through before the clock is read: far less than a turn. */
const SLOTS_AT_ONCE = 4_096;

export interface PrecomputeSettings {
  /** Number of items whose lists are computed. */
  limit: number;
  /** Returns false when the catalogue has been dropped, its turn is over, or the process stops. */
  shouldContinue(): boolean;
  /** Returns true while people ask questions, about any catalogue of the process. */
  isBusy(): boolean;
  pause(ms: number): Promise<void>;
}

/** Leaves most of the time to others. @returns false when the work should end */
type Rest = () => Promise<boolean>;

/**
 * Computes missing and outdated lists, those of the most popular items first, and leaves most of the time to questions.
 * Lists that are cached and current are only looked up.
 */
export async function precomputeNeighbours(catalogue: Catalogue, settings: PrecomputeSettings): Promise<void> {
  const rest = restingBetweenTurns(settings);
  for (const [at, slot] of (await popularSlots(catalogue, settings.limit, rest)).entries()) {
    const isKnown = catalogue.hasNeighboursOf(slot);
    if (!isKnown) catalogue.neighboursOf(slot);
    if ((!isKnown || at % SLOTS_AT_ONCE === 0) && !(await rest())) return;
  }
}

function restingBetweenTurns({ shouldContinue, isBusy, pause }: PrecomputeSettings): Rest {
  const factor = (): number => (isBusy() ? REST_FACTOR.busy : REST_FACTOR.idle);
  const pace = new Pace(factor, { minWorkMs: TURN_MS, maxRestMs: MAX_REST_MS, pause });
  return async () => !(await pace.rest()) || shouldContinue();
}

/**
 * Returns the slots with vectors that people have met recently, the most popular first; none when the work should end.
 */
async function popularSlots(catalogue: Catalogue, limit: number, rest: Rest): Promise<number[]> {
  const { popularity, vectors } = catalogue;
  const top = new TopNumbers(limit);
  for (let slot = 0; slot < catalogue.size; slot += 1) {
    const total = popularity.total(slot);
    if (total > 0 && vectors.modelOf(slot) !== null) top.offer(slot, total);
    if (slot % SLOTS_AT_ONCE === 0 && !(await rest())) return [];
  }
  return Array.from(top.ranked().numbers);
}
