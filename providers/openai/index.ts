/** Analysis by OpenAI and compatible servers, with a base URL, key and model for each capability. */
export { createOpenAiEmbedding } from './embedding.ts';
export { createPictureEmbedding } from './pictures.ts';
export { createOpenAiModeration } from './moderation.ts';
export { createOpenAiSpeech, type OpenAiSpeechOptions } from './speech.ts';
export { createOpenAiSummary, type OpenAiSummaryOptions } from './summary.ts';
export { partCharsFor } from './summaryParts.ts';
export { createOpenAiVision } from './vision.ts';
export type { OpenAiOptions } from './client.ts';
