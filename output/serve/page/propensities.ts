/** Propensities: the probabilities with which the items of a page got their positions. */
import { FIRST_TRIED_POSITION } from '../../../domain/output/page/exploration.ts';
import type { OutputMode } from '../../../domain/output/recommendationId.ts';
import { isOnTrial } from '../candidates/allowedCandidates.ts';
import type { Shown } from './arrangePage.ts';

/** Returns the probability for each item; null where nothing is tried. */
export function propensitiesOf(
  shown: readonly Pick<Shown, 'position' | 'propensity' | 'isTrial'>[],
  { exploration, mode }: { exploration: number; mode: OutputMode },
): number[] | null {
  if (exploration === 0 || mode === 'fallback') return null;
  return shown.map((one) =>
    // Nothing is tried at the first positions, whatever was rejected before an item.
    !isOnTrial(one) && one.position < FIRST_TRIED_POSITION ? 1 : (one.propensity ?? 1),
  );
}
