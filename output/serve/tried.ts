/** New items that are tried on a page: where they may stand, and what chance brought everything there. */
import { FIRST_TRIED_PLACE } from '../../domain/output/exploration.ts';
import type { OutputMode } from '../../domain/output/recommendationId.ts';
import type { Finalist } from './candidates.ts';

/** What came before a tried item may have been rejected since it was ranked: the first places are not for trying. */
export function heldBack(finalists: readonly Finalist[], firstPosition: number): readonly Finalist[] {
  const kept = Math.max(0, FIRST_TRIED_PLACE - firstPosition);
  const known = finalists.filter(({ propensity }) => propensity === undefined);
  const first = known.slice(0, kept);
  if (first.every((one, at) => finalists[at] === one)) return finalists;
  return [...first, ...finalists.filter((one) => !first.includes(one))];
}

/**
 * The chance with which each item came to its place: of what is tried its own, of the others that their place was not for
 * trying. Null where nothing is tried.
 */
export function propensitiesOf(
  shown: readonly { position: number; propensity?: number }[],
  { exploration, mode }: { exploration: number; mode: OutputMode },
): number[] | null {
  if (exploration === 0 || mode === 'fallback') return null;
  return shown.map(({ position, propensity }) => propensity ?? (position < FIRST_TRIED_PLACE ? 1 : 1 - exploration));
}
