/** The id of an answer, which events name. It contains how the answer was made. */
import { randomBytes } from 'node:crypto';

export const OUTPUT_MODES = ['personal', 'contextual', 'popular', 'fallback', 'hybrid', 'lexical'] as const;
export type OutputMode = (typeof OUTPUT_MODES)[number];

/** The content of an id. */
export interface RecommendationFacts {
  mode: OutputMode;
  /** `null` outside an experiment. */
  variant: { experiment: string; index: number } | null;
}

const LETTERS: Readonly<Record<OutputMode, string>> = {
  personal: 'p',
  contextual: 'c',
  popular: 'o',
  fallback: 'f',
  hybrid: 'h',
  lexical: 'l',
};
const MODES = new Map(OUTPUT_MODES.map((mode) => [LETTERS[mode], mode]));

/** 128 bits: nobody can guess another answer's id, and ids never repeat. */
const RANDOM_BYTES = 16;
/** `r1`, the letter of the mode, the experiment with the index of its variant, 22 random characters. */
const FORM = /^r1([a-z])(?:\.([a-z0-9]{1,12})\.(\d))?\.[A-Za-z0-9_-]{22}$/;

/**
 * Returns a new id: 26 to 41 printable characters.
 * @param facts an experiment's id has up to 12 lower-case letters and digits, an index is below 10
 */
export function newRecommendationId({ mode, variant }: RecommendationFacts): string {
  const variantPart = variant === null ? '' : `.${variant.experiment}.${variant.index}`;
  return `r1${LETTERS[mode]}${variantPart}.${randomBytes(RANDOM_BYTES).toString('base64url')}`;
}

/** Returns null for an id that is not the product's: an integrator may have its own. */
export function readRecommendationId(id: string): RecommendationFacts | null {
  const [, letter = '', experiment, index] = FORM.exec(id) ?? [];
  const mode = MODES.get(letter);
  if (mode === undefined) return null;
  return { mode, variant: experiment === undefined ? null : { experiment, index: Number(index) } };
}
