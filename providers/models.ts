/** The models that a configuration names, by step. */
import type { CapabilityConfig } from '../config.ts';
import type { ProviderCapability } from '../domain/capabilities.ts';
import { PREPARE_MODEL, type StepModels } from '../domain/models.ts';
import { MODELS } from './builtin/result.ts';

/** The summary carries the moderation, so either model is part of its name. */
export function modelsOf(capabilities: Record<ProviderCapability, CapabilityConfig>): StepModels {
  const nameOf = (capability: ProviderCapability): string | null => {
    const chosen = capabilities[capability];
    if (chosen.kind === 'off') return null;
    return chosen.kind === 'builtin' ? MODELS[capability] : `openai/${chosen.model}`;
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
