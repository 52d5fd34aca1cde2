/** The models that a configuration names, by step. */
import type { ProviderCapability } from '../domain/capabilities.ts';
import { PREPARE_MODEL, type StepModels } from '../domain/models.ts';
import { MODELS, SENTENCE_MODEL } from './builtin/result.ts';
import { embeddingModelName } from './openai/embeddingModelName.ts';
import type { CapabilityConfig, EmbeddingTraits } from './settings.ts';

export interface ModelSettings {
  capabilities: Record<ProviderCapability, CapabilityConfig>;
  sentenceEncoderDir: string | null;
  embeddingTraits: EmbeddingTraits;
}

/** The summary carries the moderation, so either model is part of its name. */
export function modelsOf({ capabilities, sentenceEncoderDir, embeddingTraits }: ModelSettings): StepModels {
  const builtin = { ...MODELS, ...(sentenceEncoderDir !== null && { embedding: SENTENCE_MODEL }) };
  const nameOf = (capability: ProviderCapability): string | null => {
    const chosen = capabilities[capability];
    if (chosen.kind === 'off') return null;
    if (chosen.kind === 'builtin') return builtin[capability];
    return `openai/${capability === 'embedding' ? embeddingModelName(chosen.model, embeddingTraits) : chosen.model}`;
  };
  const summary = nameOf('summary');
  return {
    prepare: PREPARE_MODEL,
    speech: nameOf('speech'),
    vision: nameOf('vision'),
    summary: summary && [summary, nameOf('moderation')].filter((name) => name !== null).join(' + '),
    embedding: nameOf('embedding'),
  };
}

/** What operators should know of the configured models. */
export function remarksOn({ capabilities, sentenceEncoderDir }: ModelSettings): string[] {
  return capabilities.embedding.kind === 'builtin' && sentenceEncoderDir === null
    ? ['vectors compare words, not meanings: SENTENCE_ENCODER_DIR is not set']
    : [];
}
