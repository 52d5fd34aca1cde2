/** The names, with versions, of what the built-in providers compute by. */

/**
 * Names stored with results: a change of algorithm or lexicon needs a new name, which makes stored results outdated.
 * Small changes kept the name on purpose (docs/decisions/model-names.md).
 */
export const MODELS = {
  speech: 'builtin-subtitles-3',
  vision: 'builtin-vision-6',
  summary: 'builtin-text-11',
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
