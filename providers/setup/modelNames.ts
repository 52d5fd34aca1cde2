/** Names of the configured models, by step. */
import { capabilitiesOf, type AskedCapability, type ProviderCapability } from '../../domain/analysis/capabilities.ts';
import { PREPARE_MODEL, type StepModels } from '../../domain/analysis/stepModels.ts';
import type { Step } from '../../domain/analysis/steps.ts';
import { READER_LANGUAGES, readerLanguages, type ReaderLanguage } from '../builtin/reading/folders.ts';
import { MODELS, SAFETY_MODEL, SENTENCE_MODEL, summaryModel } from '../builtin/modelVersions.ts';
import { embeddingModelName } from '../openai/embedding/embeddingModelName.ts';
import type { EmbeddingTraits } from '../openai/embedding/embeddingTraits.ts';
import type { CapabilityConfig, OpenAiConfig, PicturesConfig, TextReaderFolders } from './providerSettings.ts';

export interface ModelSettings {
  capabilities: Record<ProviderCapability, CapabilityConfig>;
  sentenceEncoderDir: string | null;
  nudityModelDir: string | null;
  textReaders: TextReaderFolders;
  embeddingTraits: EmbeddingTraits;
  pictures?: PicturesConfig | null;
}

/** Returns the models by step. The models of all capabilities that a step uses are part of its name. */
export function modelsOf(settings: ModelSettings): StepModels {
  const { capabilities, sentenceEncoderDir, nudityModelDir, textReaders, embeddingTraits, pictures } = settings;
  const builtin = {
    ...MODELS,
    summary: summaryModel(readerLanguages(textReaders), sentenceEncoderDir !== null),
    ...(nudityModelDir !== null && { vision: SAFETY_MODEL }),
    ...(sentenceEncoderDir !== null && { embedding: SENTENCE_MODEL }),
  };
  const nameOf = (capability: AskedCapability): string | null => {
    if (capability === 'pictures') return pictures ? `openai/${pictures.model}` : null;
    const chosen = capabilities[capability];
    if (chosen.kind === 'off') return null;
    if (chosen.kind === 'builtin') return builtin[capability];
    // The type makes the compiler ask for any other kind.
    const { model }: OpenAiConfig = chosen;
    return `openai/${capability === 'embedding' ? embeddingModelName(model, embeddingTraits) : model}`;
  };
  const modelOf = (step: ProviderCapability & Step): string | null => {
    const names = capabilitiesOf(step).map(nameOf);
    return nameOf(step) && names.filter((name) => name !== null).join(' + ');
  };
  return {
    prepare: PREPARE_MODEL,
    speech: modelOf('speech'),
    vision: modelOf('vision'),
    summary: modelOf('summary'),
    embedding: modelOf('embedding'),
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
  const read = readerLanguages(textReaders);
  const unread =
    capabilities.summary.kind === 'builtin' ? READER_LANGUAGES.filter((language) => !read.includes(language)) : [];
  return [
    ...(isLexical ? ['vectors compare words, not meanings: SENTENCE_ENCODER_DIR is not set'] : []),
    ...(hasNoClassifier ? ['pictures are not judged for nudity: NUDITY_MODEL_DIR is not set'] : []),
    ...unread.map((language) => UNREAD[language]),
  ];
}

const UNREAD: Readonly<Record<ReaderLanguage, string>> = {
  ru: 'tags of Russian texts are single words: RUSSIAN_NETWORKS_DIR and RUSSIAN_WORDS_DIR are not set',
  en: 'tags of English texts are single words: ENGLISH_NETWORK_DIR is not set',
};
