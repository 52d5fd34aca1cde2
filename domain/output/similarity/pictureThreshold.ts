/** The cosine from which a picture counts as matching a query. */

/** Cosines between a text and a picture of a family of models. */
interface PictureBounds {
  /** Nothing below it is credible, however much it stands out. */
  floor: number;
  /** From here on a picture shows what the text says, even if many pictures of the catalogue do. */
  ceiling: number;
}

/**
 * - CLIP and models trained like it: pairs of pictures and captions were kept for training if their cosine was at least
 *   0.28 (LAION-5B) or 0.3 (LAION-400M, ViT-B/32), bounds that were chosen by human inspection. Short queries have
 *   somewhat lower cosines than captions.
 * - SigLIP: its own scale and bias of the sigmoid (SO400M: 112 and -16.5) give even odds at 0.15; unrelated pairs lie
 *   around 0.
 */
const FAMILIES: readonly { name: RegExp; bounds: PictureBounds }[] = [
  { name: /siglip/i, bounds: { floor: 0.05, ceiling: 0.15 } },
  { name: /clip/i, bounds: { floor: 0.18, ceiling: 0.3 } },
];
/** Nothing is known about the scale of other models: only pictures that stand out count. */
const UNKNOWN: PictureBounds = { floor: 0, ceiling: 1 };
/** With fewer cosines, the middle between the bounds replaces the distribution. */
const MIN_SAMPLE = 30;
/** The threshold of an unknown model with fewer cosines than {@link MIN_SAMPLE}. */
const FALLBACK = 0.25;
/** The median absolute deviation of a normal distribution, in standard deviations, is 1 / 1.4826. */
const MAD_TO_SIGMA = 1.4826;

/**
 * Returns the cosine from which a picture counts as matching a query, derived from the distribution of the query's
 * cosines. Most pictures of a catalogue show something else, so the median and the median absolute deviation describe
 * the unrelated ones. Among n unrelated pictures, about one exceeds the median by √(2 ln n) deviations (the universal
 * threshold of Donoho and Johnstone, Biometrika 81, 1994). The result is kept within the bounds known for the model.
 * @param cosines of all pictures or of a sample of them
 * @param pictures number of all pictures
 */
export function pictureThreshold(model: string, cosines: readonly number[], pictures: number): number {
  const known = FAMILIES.find(({ name }) => name.test(model))?.bounds;
  const { floor, ceiling } = known ?? UNKNOWN;
  if (cosines.length < MIN_SAMPLE) return known === undefined ? FALLBACK : (floor + ceiling) / 2;
  const middle = medianOf(cosines);
  const deviation = MAD_TO_SIGMA * medianOf(cosines.map((cosine) => Math.abs(cosine - middle)));
  return Math.min(ceiling, Math.max(floor, middle + Math.sqrt(2 * Math.log(pictures)) * deviation));
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? (sorted[half] ?? 0) : ((sorted[half - 1] ?? 0) + (sorted[half] ?? 0)) / 2;
}
