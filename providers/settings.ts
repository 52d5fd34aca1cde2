/** The settings of the analysis providers, read from the environment with all others (config.ts). */
import type { ProviderCapability } from '../domain/capabilities.ts';
import type { SettingsReader } from '../process/settingsReader.ts';
import { ENCODER_FILE_NAMES } from './builtin/encoder/files.ts';

/** Where one analysis capability is done. `off` means that its step is skipped with a reason. */
export type CapabilityConfig =
  | { kind: 'builtin' }
  | { kind: 'openai'; baseUrl: string; apiKey: string; model: string }
  | { kind: 'off' };

/** What cannot be asked of a server and has to be known of the model for vectors that it runs. */
export interface EmbeddingTraits {
  /** Put before queries and before passages, with a space: some models (E5) want to be told which of the two a text is. */
  queryPrefix: string;
  passagePrefix: string;
  /** See `EmbeddingCapability`. */
  similarityThreshold: number | null;
}

const DEFAULT_MODELS: Record<ProviderCapability, string> = {
  speech: 'whisper-1',
  vision: 'gpt-4o-mini',
  summary: 'gpt-4o-mini',
  moderation: 'omni-moderation-latest',
  embedding: 'text-embedding-3-small',
};

/** `SPEECH_PROVIDER`, `SPEECH_BASE_URL`, `SPEECH_API_KEY`, `SPEECH_MODEL`, and so for each capability. */
export function readCapability(reader: SettingsReader, capability: ProviderCapability): CapabilityConfig {
  const prefix = capability.toUpperCase();
  const ownUrl = reader.url(`${prefix}_BASE_URL`, '');
  const baseUrl = ownUrl || reader.url('OPENAI_BASE_URL', '');
  // The common key belongs to the common address: no other server is to see it.
  const apiKey = reader.text(`${prefix}_API_KEY`, ownUrl === '' ? reader.text('OPENAI_API_KEY', '') : '');
  const configured = apiKey !== '' || baseUrl !== '';
  const kind = reader.oneOf(`${prefix}_PROVIDER`, ['builtin', 'openai', 'off'], configured ? 'openai' : 'builtin');
  if (kind !== 'openai') return { kind };
  if (!configured) reader.faults.push(`${prefix}_PROVIDER=openai needs ${prefix}_API_KEY or ${prefix}_BASE_URL`);
  return {
    kind,
    apiKey,
    baseUrl: baseUrl || 'https://api.openai.com/v1',
    model: reader.text(`${prefix}_MODEL`, DEFAULT_MODELS[capability]),
  };
}

export function readEmbeddingTraits(reader: SettingsReader): EmbeddingTraits {
  const hasThreshold = reader.text('EMBEDDING_SIMILARITY_THRESHOLD', '') !== '';
  return {
    queryPrefix: reader.text('EMBEDDING_QUERY_PREFIX', ''),
    passagePrefix: reader.text('EMBEDDING_PASSAGE_PREFIX', ''),
    similarityThreshold: hasThreshold ? reader.number('EMBEDDING_SIMILARITY_THRESHOLD', 0, -1, 1) : null,
  };
}

/** The folder of the sentence encoder's files; null: the built-in vectors are lexical. */
export function readSentenceEncoderDir(reader: SettingsReader): string | null {
  return reader.folder('SENTENCE_ENCODER_DIR', ENCODER_FILE_NAMES);
}
