/** The settings of the analysis providers, read from the environment with all others (config.ts). */
import type { AskedCapability, ProviderCapability } from '../../domain/analysis/capabilities.ts';
import type { Prices } from '../../domain/analysis/prices.ts';
import type { SettingsReader } from '../../platform/process/settingsReader.ts';
import { ENCODER_FILE_NAMES } from '../builtin/encoder/encoderFiles.ts';
import { NUDITY_FILE_NAMES } from '../builtin/nudity/classifierFiles.ts';
import { VOICE_FILE } from '../builtin/voice/voiceDetectorFile.ts';
import { ENGLISH_FILES, RUSSIAN_NETWORK_FILES, RUSSIAN_WORD_FILES } from '../builtin/reading/common/readerFiles.ts';
import type { ReaderFolders } from '../builtin/reading/folders.ts';
import { BATCH_SIZES } from '../openai/calls/batchSizes.ts';
import { DEFAULT_CONTEXT_TOKENS } from '../openai/calls/summaryParts.ts';
import { MAX_TOKENS_PER_TEXT } from '../openai/embedding/embeddingLimits.ts';
import { PICTURE_PROTOCOLS, type EmbeddingTraits, type PictureProtocol } from '../openai/embedding/embeddingTraits.ts';
import { MAX_PIECE_SEC, MIN_CONFIGURED_PIECE_SEC } from '../openai/speech/pieceSizes.ts';
import { DEFAULT_MODELS } from './defaultModels.ts';
import { readPrices } from './prices.ts';

export interface AnalysisSettings {
  tessdataDirs: string[];
  /** Folder of the sentence encoder's two files (builtin/encoder/encoderFiles.ts); null: vectors are lexical. */
  sentenceEncoderDir: string | null;
  /**
   * Folder of the files for nudity detection (builtin/nudity/classifierFiles.ts); null: the safety of pictures is
   * unknown.
   */
  nudityModelDir: string | null;
  /**
   * Folder of the file for voice detection (builtin/voice/voiceDetectorFile.ts); null: audio is chosen by loudness
   * alone.
   */
  voiceModelDir: string | null;
  /** Folders of the text readers (builtin/reading/folders.ts). */
  textReaders: TextReaderFolders;
  capabilities: Record<ProviderCapability, CapabilityConfig>;
  embeddingTraits: EmbeddingTraits;
  /** The provider of picture vectors; null: there are none. */
  pictures: PicturesConfig | null;
  /** Prices of models; null when none are configured. */
  prices: Prices | null;
}

/** The implementation of one analysis capability. `off`: its step is skipped with a reason. */
export type CapabilityConfig = { kind: 'builtin' } | OpenAiConfig | { kind: 'off' };

/** A server with OpenAI's protocol. */
export interface OpenAiConfig {
  kind: 'openai';
  baseUrl: string;
  apiKey: string;
  model: string;
  limits: ServerLimits;
}

export type ProviderKind = CapabilityConfig['kind'];

/** Whether each kind of provider calls something that takes longer than milliseconds for a short text. */
export const IS_REMOTE: Readonly<Record<ProviderKind, boolean>> = { builtin: false, openai: true, off: false };

/** The values of `SPEECH_PROVIDER`, `VISION_PROVIDER`, … */
export const PROVIDER_KINDS = Object.keys(IS_REMOTE) as ProviderKind[];

/** Limits of a server, applied within one process. */
export interface ServerLimits {
  /** Time limit of one request, excluding the wait for its turn. */
  timeoutMs: number;
  /** Maximum number of concurrent requests; null: limited only by the worker. */
  concurrency: number | null;
  requestsPerMinute: number | null;
  /**
   * Maximum number of pictures (vision, vectors of pictures), texts (embedding) or pieces of a text (moderation) in one
   * request; the others send one thing at a time.
   */
  batchSize: number;
  /**
   * The model's context in tokens: prompt and answer (vision, summary), or one text (moderation, embedding); 0:
   * unknown.
   */
  contextTokens: number;
  /** The longest piece of a recording in one request, in seconds (speech). */
  pieceSeconds: number;
}

/** The server for vectors of pictures, which are compared with words. */
export interface PicturesConfig {
  baseUrl: string;
  apiKey: string;
  model: string;
  protocol: PictureProtocol;
  /** See `PictureEmbedding`. */
  similarityThreshold: number | null;
  limits: ServerLimits;
}

/** Reads the settings of all analysis; `reader` collects their faults. */
export function readAnalysisSettings(reader: SettingsReader): AnalysisSettings {
  return {
    tessdataDirs: reader.list('TESSDATA_DIRS'),
    sentenceEncoderDir: reader.folder('SENTENCE_ENCODER_DIR', ENCODER_FILE_NAMES),
    nudityModelDir: reader.folder('NUDITY_MODEL_DIR', NUDITY_FILE_NAMES),
    voiceModelDir: reader.folder('VOICE_MODEL_DIR', [VOICE_FILE.name]),
    textReaders: readTextReaderFolders(reader),
    capabilities: {
      speech: readCapability(reader, 'speech'),
      vision: readCapability(reader, 'vision'),
      summary: readCapability(reader, 'summary'),
      moderation: readCapability(reader, 'moderation'),
      embedding: readCapability(reader, 'embedding'),
    },
    embeddingTraits: readEmbeddingTraits(reader),
    pictures: readPictures(reader),
    prices: readPrices(reader),
  };
}

/** Reads `SPEECH_PROVIDER`, `SPEECH_BASE_URL`, `SPEECH_API_KEY`, `SPEECH_MODEL`, and so on for each capability. */
function readCapability(reader: SettingsReader, capability: ProviderCapability): CapabilityConfig {
  const prefix = capability.toUpperCase();
  const ownUrl = reader.url(`${prefix}_BASE_URL`, '');
  const baseUrl = ownUrl || reader.url('OPENAI_BASE_URL', '');
  // The common key belongs to the common address and must not be sent to any other server.
  const apiKey = reader.text(`${prefix}_API_KEY`, ownUrl === '' ? reader.text('OPENAI_API_KEY', '') : '');
  const configured = apiKey !== '' || baseUrl !== '';
  const kind = reader.oneOf(`${prefix}_PROVIDER`, PROVIDER_KINDS, configured ? 'openai' : 'builtin');
  if (kind !== 'openai') return { kind };
  if (!configured) reader.faults.push(`${prefix}_PROVIDER=openai needs ${prefix}_API_KEY or ${prefix}_BASE_URL`);
  return {
    kind,
    limits: readLimits(reader, capability),
    apiKey,
    baseUrl: baseUrl || 'https://api.openai.com/v1',
    model: reader.text(`${prefix}_MODEL`, DEFAULT_MODELS[capability]),
  };
}

/** The maximum and the default batch of capabilities with batches. */
const BATCHES: Partial<Record<AskedCapability, { most: number; usual: number }>> = BATCH_SIZES;
/** Tokens of the context of a model; 0: unknown unless it is configured. */
const CONTEXTS: Partial<Record<AskedCapability, number>> = {
  vision: 0,
  summary: DEFAULT_CONTEXT_TOKENS,
  moderation: 0,
  embedding: MAX_TOKENS_PER_TEXT,
};

/** Seconds: the longest piece of a recording, which is also the default, and the shortest that may be configured. */
const PIECES: Partial<Record<AskedCapability, { most: number; least: number }>> = {
  speech: { most: MAX_PIECE_SEC, least: MIN_CONFIGURED_PIECE_SEC },
};

/** Reads `VISION_TIMEOUT_SECONDS`, `VISION_CONCURRENCY`, `VISION_REQUESTS_PER_MINUTE`, `VISION_BATCH_SIZE`, … */
function readLimits(reader: SettingsReader, capability: AskedCapability): ServerLimits {
  const prefix = capability.toUpperCase();
  const common = reader.integer('PROVIDER_TIMEOUT_SECONDS', 120, 1, 3600);
  const optional = (name: string, most: number): number | null =>
    reader.text(`${prefix}_${name}`, '') === '' ? null : reader.integer(`${prefix}_${name}`, 1, 1, most);
  const batch = BATCHES[capability];
  const piece = PIECES[capability];
  return {
    timeoutMs: reader.integer(`${prefix}_TIMEOUT_SECONDS`, common, 1, 3600) * 1000,
    concurrency: optional('CONCURRENCY', 500),
    requestsPerMinute: optional('REQUESTS_PER_MINUTE', 100_000),
    batchSize: batch ? reader.integer(`${prefix}_BATCH_SIZE`, batch.usual, 1, batch.most) : 1,
    contextTokens: readContext(reader, capability),
    pieceSeconds: piece ? reader.integer(`${prefix}_PIECE_SECONDS`, piece.most, piece.least, piece.most) : 0,
  };
}

function readContext(reader: SettingsReader, capability: AskedCapability): number {
  const name = `${capability.toUpperCase()}_CONTEXT_TOKENS`;
  const usual = CONTEXTS[capability];
  if (usual === undefined || (usual === 0 && reader.text(name, '') === '')) return 0;
  return reader.integer(name, usual, 512, 2_000_000);
}

/** Reads `PICTURES_BASE_URL`, `PICTURES_MODEL`, …; null: pictures are found only by texts about them. */
function readPictures(reader: SettingsReader): PicturesConfig | null {
  const baseUrl = reader.url('PICTURES_BASE_URL', '');
  const apiKey = reader.text('PICTURES_API_KEY', '');
  const hasThreshold = reader.text('PICTURES_SIMILARITY_THRESHOLD', '') !== '';
  if (apiKey !== '' && baseUrl === '') reader.faults.push('PICTURES_API_KEY needs PICTURES_BASE_URL');
  const pictures = {
    baseUrl,
    apiKey,
    model: reader.text('PICTURES_MODEL', DEFAULT_MODELS.pictures),
    protocol: reader.oneOf('PICTURES_PROTOCOL', PICTURE_PROTOCOLS, 'jina'),
    similarityThreshold: hasThreshold ? reader.number('PICTURES_SIMILARITY_THRESHOLD', 0, -1, 1) : null,
    limits: readLimits(reader, 'pictures'),
  };
  return baseUrl === '' ? null : pictures;
}

function readEmbeddingTraits(reader: SettingsReader): EmbeddingTraits {
  const hasThreshold = reader.text('EMBEDDING_SIMILARITY_THRESHOLD', '') !== '';
  return {
    queryPrefix: reader.text('EMBEDDING_QUERY_PREFIX', ''),
    passagePrefix: reader.text('EMBEDDING_PASSAGE_PREFIX', ''),
    similarityThreshold: hasThreshold ? reader.number('EMBEDDING_SIMILARITY_THRESHOLD', 0, -1, 1) : null,
  };
}

/** Folders of the text readers' files; null: not read. */
export type TextReaderFolders = Omit<ReaderFolders, 'encoder'>;

function readTextReaderFolders(reader: SettingsReader): TextReaderFolders {
  return {
    russianNetworks: reader.folder('RUSSIAN_NETWORKS_DIR', Object.values(RUSSIAN_NETWORK_FILES)),
    russianWords: reader.folder('RUSSIAN_WORDS_DIR', Object.values(RUSSIAN_WORD_FILES)),
    english: reader.folder('ENGLISH_NETWORK_DIR', Object.values(ENGLISH_FILES)),
  };
}
