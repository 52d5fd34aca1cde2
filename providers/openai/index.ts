/** Analysis by OpenAI and every compatible server; a base URL, key and model for each capability. */
export { createOpenAiEmbedding } from './embedding.ts';
export { createOpenAiModeration } from './moderation.ts';
export { createOpenAiSpeech, type OpenAiSpeechOptions } from './speech.ts';
export { createOpenAiSummary, type OpenAiSummaryOptions } from './summary.ts';
export { createOpenAiVision } from './vision.ts';
export type { OpenAiOptions } from './client.ts';
