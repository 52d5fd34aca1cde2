/** Converts the probabilities of classes to a level of moderation. Pure. */
import type { ModerationLevel } from '../../../domain/analysis/results.ts';
import type { ClassProbabilities } from './nudityNetwork.ts';

/**
 * Minimum probability of an explicit picture (a photograph or a drawing) for each level. Only one of 30 ordinary
 * pictures (people, animals, surfaces, pages of text) reached the lowest level: a picture of a patch of retina.
 */
const EXPLICIT: readonly (readonly [ModerationLevel, number])[] = [
  ['high', 0.85],
  ['medium', 0.6],
  ['low', 0.3],
];
/** Minimum probability, for the lowest level, that a picture is explicit or at least sexy (underwear, swimwear). */
const SEXY = 0.6;

export function sexualLevel({ porn, hentai, sexy }: ClassProbabilities): ModerationLevel {
  const explicit = porn + hentai;
  const found = EXPLICIT.find(([, minProbability]) => explicit >= minProbability);
  if (found) return found[0];
  return explicit + sexy >= SEXY ? 'low' : 'none';
}
