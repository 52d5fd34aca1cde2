/** The id of an answer, which events name: it tells by itself how the answer came about. */
import { randomBytes } from 'node:crypto';

export const OUTPUT_MODES = ['personal', 'contextual', 'popular', 'fallback', 'hybrid', 'lexical'] as const;
export type OutputMode = (typeof OUTPUT_MODES)[number];

/** What an id tells. */
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

/** 128 bits: nobody meets another answer's id by guessing, and none comes twice. */
const RANDOM_BYTES = 16;
/** `r1`, the letter of the mode, the experiment with the number of its variant, 22 characters of chance. */
const FORM = /^r1([a-z])(?:\.([a-z0-9]{1,12})\.(\d))?\.[A-Za-z0-9_-]{22}$/;

/**
 * A new id: 26 to 41 printable characters.
 * @param facts an experiment's id has up to 12 lower-case letters and digits, an index is below 10
 */
export function newRecommendationId({ mode, variant }: RecommendationFacts): string {
  const place = variant === null ? '' : `.${variant.experiment}.${variant.index}`;
  return `r1${LETTERS[mode]}${place}.${randomBytes(RANDOM_BYTES).toString('base64url')}`;
}

/** Null when it is none of ours: an integrator may have ids of its own. */
export function readRecommendationId(id: string): RecommendationFacts | null {
  const [, letter = '', experiment, index] = FORM.exec(id) ?? [];
  const mode = MODES.get(letter);
  if (mode === undefined) return null;
  return { mode, variant: experiment === undefined ? null : { experiment, index: Number(index) } };
}
