/** What every built-in answer says about itself. */
import type { ProviderResult } from '../types.ts';

/** Names stored beside results: a change of algorithm or lexicon takes a new name, and outdates what is stored. */
export const MODELS = {
  speech: 'builtin-subtitles-2',
  vision: 'builtin-vision-2',
  summary: 'builtin-text-2',
  moderation: 'builtin-lexicon-1',
  embedding: 'builtin-embed-2',
} as const;

/** Of the vectors where the sentence encoder is there; `MODELS.embedding` is that of the lexical ones. */
export const SENTENCE_MODEL = 'builtin-use-multilingual-v3';

/** Tokens mean nothing here, so usage is unknown, except for images where they were counted. */
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
