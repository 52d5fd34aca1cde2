/** The models of servers for which no model is configured. */
import type { AskedCapability } from '../../domain/analysis/capabilities.ts';

export const DEFAULT_MODELS: Record<AskedCapability, string> = {
  speech: 'whisper-1',
  vision: 'gpt-4o-mini',
  summary: 'gpt-4o-mini',
  moderation: 'omni-moderation-latest',
  embedding: 'text-embedding-3-small',
  pictures: 'jina-clip-v2',
};
