/** New items that are tried on a page: what chance brought everything to its place. */
import { FIRST_TRIED_PLACE } from '../../domain/output/exploration.ts';
import type { OutputMode } from '../../domain/output/recommendationId.ts';

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
