/** Analysis by OpenAI and compatible servers, with a base URL, key and model for each capability. */
export { createOpenAiEmbedding } from './embedding/embedding.ts';
export { createPictureEmbedding } from './embedding/pictureVectors.ts';
export { createOpenAiModeration } from './moderation/moderation.ts';
export { createOpenAiSpeech, type OpenAiSpeechOptions } from './speech/speech.ts';
export { createOpenAiSummary, type OpenAiSummaryOptions } from './summary/summary.ts';
export { partCharsFor } from './calls/summaryParts.ts';
export { createOpenAiVision } from './vision/vision.ts';
export type { OpenAiOptions } from './calls/openAiApi.ts';
