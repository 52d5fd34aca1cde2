/** Propensities: the probabilities with which the items of a page got their places, for new items on trial. */
import { FIRST_TRIED_PLACE } from '../../domain/output/page/exploration.ts';
import type { OutputMode } from '../../domain/output/recommendationId.ts';

/**
 * Returns the probability for each item: for one on trial its own; for others that their place was not used for a
 * trial. Null where nothing is tried.
 */
export function propensitiesOf(
  shown: readonly { position: number; propensity?: number }[],
  { exploration, mode }: { exploration: number; mode: OutputMode },
): number[] | null {
  if (exploration === 0 || mode === 'fallback') return null;
  return shown.map(({ position, propensity }) => propensity ?? (position < FIRST_TRIED_PLACE ? 1 : 1 - exploration));
}
