/** Properties that every built-in result reports about itself. */
import type { ProviderResult } from '../types.ts';

/**
 * Names stored with results: a change of algorithm or lexicon needs a new name, which makes stored results outdated.
 * `moderation` kept its name when texts in other languages became unknown: the step summary, to which it belongs, would
 * run again for every item, and its summary may be paid for. Operators decide on a reprocess. For the same reason
 * `summary` kept its name when tags of frames that are also topics were left out: few items have any. It also kept it
 * when the Russian networks began to multiply integers: two words of 20,496 were read differently and no phrase or name
 * changed (docs/decisions/text-reading.md), while a new name would make every installation summarise all its texts
 * again. `vision` kept its name when pictures that lie on their side were read: few do, and each new description makes
 * its item's summary again. Stored summaries may thus differ from new ones of the same text in a rare tag.
 * `builtin-text-9` also applied where the sentence encoder was missing: the encoder changed only the topics of projects
 * with a list of their own, but the same version began to read HTML, mixed languages and lists differently, and any
 * item may have these.
 */
export const MODELS = {
  speech: 'builtin-subtitles-3',
  vision: 'builtin-vision-6',
  summary: 'builtin-text-10',
  moderation: 'builtin-lexicon-1',
  embedding: 'builtin-embed-2',
} as const;

/**
 * Returns a model name with the languages read and whether topics were found by meaning: if these change, summaries are
 * recomputed.
 */
export function summaryModel(languages: readonly string[], hasMeaning: boolean): string {
  return [MODELS.summary, ...languages, ...(hasMeaning ? ['use'] : [])].join('-');
}

/** Model name of vectors from the sentence encoder; `MODELS.embedding` names the lexical ones. */
export const SENTENCE_MODEL = 'builtin-use-multilingual-v3';

/** Model name of picture descriptions with the nudity classifier; `MODELS.vision` names those without safety. */
export const SAFETY_MODEL = `${MODELS.vision} + nsfwjs-mid-4.4`;

/** Returns a result. Tokens do not apply here, so usage is unknown, except for images if they were counted. */
export function builtinResult<T>(
  model: string,
  value: T,
  warnings: string[] = [],
  images: number | null = null,
): ProviderResult<T> {
  return {
    value,
    provenance: { provider: 'builtin', model, requestId: null },
    usage: { inputTokens: null, outputTokens: null, audioSeconds: null, images },
    warnings,
  };
}
