/**
 * Checks the media of an item. `MEDIA_OF_TYPE` in domain/analysis/steps.ts says which ones each type must and may have.
 */
import { MEDIA_OF_TYPE, type ItemType } from '../analysis/steps.ts';
import type { MediumWrite } from './item.ts';

/**
 * Returns the fault of a media list for an item of that type: a medium of the item's own kind is missing (`required`
 * when no media were sent), or a text has media; null when nothing is wrong.
 * @param sent false when the request had no media at all (absent or null)
 */
export function mediaFault(
  type: ItemType,
  media: readonly MediumWrite[],
  sent: boolean,
): 'required' | 'invalid_value' | null {
  const { needs, mayHaveOthers } = MEDIA_OF_TYPE[type];
  if (!mayHaveOthers && media.some(({ kind }) => kind !== needs)) return 'invalid_value';
  if (needs === null || media.some(({ kind }) => kind === needs)) return null;
  return sent ? 'invalid_value' : 'required';
}
