/** Names of the configured models, by step. */
import type { ProviderCapability } from '../../domain/analysis/capabilities.ts';
import { PREPARE_MODEL, type StepModels } from '../../domain/analysis/models.ts';
import { readLanguages, type ReadLanguage } from '../builtin/reading/folders.ts';
import { MODELS, SAFETY_MODEL, SENTENCE_MODEL, summaryModel } from '../builtin/result.ts';
import { embeddingModelName } from '../openai/embedding/embeddingModelName.ts';
import type { EmbeddingTraits } from '../openai/embedding/embeddingTraits.ts';
import type { CapabilityConfig, PicturesConfig, TextReaderFolders } from './providerSettings.ts';

export interface ModelSettings {
  capabilities: Record<ProviderCapability, CapabilityConfig>;
  sentenceEncoderDir: string | null;
  nudityModelDir: string | null;
  textReaders: TextReaderFolders;
  embeddingTraits: EmbeddingTraits;
  pictures?: PicturesConfig | null;
}

/**
 * Returns the models by step. The summary step includes moderation, and the embedding step the vectors of pictures:
 * both models are part of the name.
 */
export function modelsOf(settings: ModelSettings): StepModels {
  const { capabilities, sentenceEncoderDir, nudityModelDir, textReaders, embeddingTraits, pictures } = settings;
  const builtin = {
    ...MODELS,
    summary: summaryModel(readLanguages(textReaders), sentenceEncoderDir !== null),
    ...(nudityModelDir !== null && { vision: SAFETY_MODEL }),
    ...(sentenceEncoderDir !== null && { embedding: SENTENCE_MODEL }),
  };
  const nameOf = (capability: ProviderCapability): string | null => {
    const chosen = capabilities[capability];
    if (chosen.kind === 'off') return null;
    if (chosen.kind === 'builtin') return builtin[capability];
    return `openai/${capability === 'embedding' ? embeddingModelName(chosen.model, embeddingTraits) : chosen.model}`;
  };
  const summary = nameOf('summary');
  const embedding = nameOf('embedding');
  return {
    prepare: PREPARE_MODEL,
    speech: nameOf('speech'),
    vision: nameOf('vision'),
    summary: summary && [summary, nameOf('moderation')].filter((name) => name !== null).join(' + '),
    embedding: embedding && [embedding, ...(pictures ? [`openai/${pictures.model}`] : [])].join(' + '),
  };
}

/**
 * Returns the name of the embedding step's model for a result without vectors of pictures.
 * @param embedding the configured name, see {@link modelsOf}
 * @param pictures the model of the pictures, as configured
 */
export function withoutPictureModel(embedding: string | null, pictures: string): string | null {
  const end = ` + openai/${pictures}`;
  return embedding?.endsWith(end) ? embedding.slice(0, -end.length) : embedding;
}

/** Returns remarks about the configured models for operators. */
export function remarksOn({ capabilities, sentenceEncoderDir, nudityModelDir, textReaders }: ModelSettings): string[] {
  const isLexical = capabilities.embedding.kind === 'builtin' && sentenceEncoderDir === null;
  const hasNoClassifier = capabilities.vision.kind === 'builtin' && nudityModelDir === null;
  const read = readLanguages(textReaders);
  const isUnread = (language: ReadLanguage): boolean =>
    capabilities.summary.kind === 'builtin' && !read.includes(language);
  return [
    ...(isLexical ? ['vectors compare words, not meanings: SENTENCE_ENCODER_DIR is not set'] : []),
    ...(hasNoClassifier ? ['pictures are not judged for nudity: NUDITY_MODEL_DIR is not set'] : []),
    ...(isUnread('ru')
      ? ['tags of Russian texts are single words: RUSSIAN_NETWORKS_DIR and RUSSIAN_WORDS_DIR are not set']
      : []),
    ...(isUnread('en') ? ['tags of English texts are single words: ENGLISH_NETWORK_DIR is not set'] : []),
  ];
}
