/** The activities of the queue `ai`: provider calls. */
import type { AiActivityDeps } from './deps.ts';
import { createEmbeddingActivity } from './embedding.ts';
import { createSpeechActivity } from './speech.ts';
import { createSummaryActivity } from './summary.ts';
import { createVisionActivity } from './vision.ts';

export type AiActivities = ReturnType<typeof createAiActivities>;

export function createAiActivities(deps: AiActivityDeps) {
  return {
    ...createSpeechActivity(deps),
    ...createVisionActivity(deps),
    ...createSummaryActivity(deps),
    ...createEmbeddingActivity(deps),
  };
}
