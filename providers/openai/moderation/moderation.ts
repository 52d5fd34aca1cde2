/**
 * Moderation by the moderations endpoint: text in chunks and one image for each request (the limit of
 * `omni-moderation-latest`), merged into one level with its evidence.
 */
import { readFile } from 'node:fs/promises';
import { ProviderError } from '../../errors.ts';
import type { CallContext, Capability, Moderation, ModerationInput, Usage, VisionFrame } from '../../types.ts';
import {
  createOpenAiApi,
  requestJson,
  failsEveryRequest,
  type OpenAiApi,
  type OpenAiOptions,
} from '../calls/openAiApi.ts';
import { BATCH_SIZES } from '../calls/batchSizes.ts';
import { isRecord } from '../../../domain/isRecord.ts';
import { badAnswer } from '../calls/serverErrors.ts';
import { createLearnedSize } from '../calls/learnedSize.ts';
import { mergeFindings, readScores, type Finding } from './moderationLevels.ts';
import { scoreText, type ScoreTexts } from './moderationTexts.ts';
import { bill, provenanceOf } from '../calls/callUsage.ts';

/**
 * The provider's advice for accuracy: pieces of less than 2,000 characters. A smaller context limits them to half of
 * its tokens, at two characters a token; the rest is for the instructions of a guard model.
 */
const CHUNK_CHARS = 1_900;

interface Gathered {
  findings: Finding[];
  requestId: string | null;
  /** Frames that could not be scored; missing scores are never treated as harmless. */
  unscored: number;
}

export interface OpenAiModerationOptions extends OpenAiOptions {
  /** Maximum number of chunks in one request. */
  batchSize?: number;
  /** Tokens that the model reads of one chunk; 0 or undefined: unknown. */
  contextTokens?: number;
}

/**
 * @returns a capability whose level is null if there is nothing to score, and also if everything scored is harmless but
 * some frame could not be scored (`unscored_frames:n`). A text that is too large for the server is sent in smaller
 * requests and chunks (moderationTexts.ts)
 */
export function createOpenAiModeration(options: OpenAiModerationOptions): Capability<ModerationInput, Moderation> {
  const api = createOpenAiApi(options);
  const { batchSize = BATCH_SIZES.moderation.usual, contextTokens = 0 } = options;
  const sizes = {
    chars: createLearnedSize(contextTokens > 0 ? Math.min(CHUNK_CHARS, contextTokens) : CHUNK_CHARS),
    chunks: createLearnedSize(batchSize),
  };
  const score: ScoreTexts = (texts, context) => moderate(api, texts, context);
  return {
    model: options.model,
    async run(input, context) {
      const text = await scoreText(score, sizes, input.text, context);
      const images = await scoreFrames(api, input.frames, context);
      const findings = [...text.findings, ...images.findings];
      const complete = images.unscored === 0;
      return {
        value: mergeFindings(findings, complete),
        provenance: provenanceOf(api, images.requestId ?? text.requestId),
        usage: usageOf(input.frames.length - images.unscored),
        warnings: complete ? [] : [`unscored_frames:${images.unscored}`],
      };
    },
  };
}

async function scoreFrames(api: OpenAiApi, frames: VisionFrame[], context: CallContext): Promise<Gathered> {
  const gathered: Gathered = { findings: [], requestId: null, unscored: 0 };
  for (const frame of frames) {
    try {
      const answer = await moderate(api, frame, context);
      const findings = readScores(answer.results[0], { kind: 'frame', frame: frame.id });
      gathered.requestId = answer.requestId;
      gathered.findings.push(...findings);
      if (findings.every(({ score }) => score === null)) gathered.unscored += 1;
    } catch (error) {
      if (!isAboutPicture(error)) throw error;
      gathered.unscored += 1;
    }
  }
  return gathered;
}

/**
 * Returns true when the server refused this picture, cannot read it, or reads none: the findings in the text and in
 * other pictures remain. Any other error fails the whole step.
 */
function isAboutPicture(error: unknown): boolean {
  return (
    error instanceof ProviderError &&
    (!failsEveryRequest(error) || error.code === 'provider_unsupported') &&
    error.kind !== 'retryable'
  );
}

async function moderate(api: OpenAiApi, subject: string[] | VisionFrame, context: CallContext) {
  const input = Array.isArray(subject) ? subject : [await imagePart(subject)];
  const request = { model: api.model, input };
  const answer = await requestJson(api, context, (client, options) => client.moderations.create(request, options));
  await bill(api, context, answer, usageOf(Array.isArray(subject) ? 0 : 1));
  const results = isRecord(answer.body) ? answer.body['results'] : undefined;
  if (!Array.isArray(results) || results.length !== input.length) throw badAnswer('it has the wrong number of results');
  return { results: results as unknown[], requestId: answer.requestId };
}

/** The endpoint reports no tokens. */
function usageOf(images: number): Usage {
  return { inputTokens: null, outputTokens: null, audioSeconds: null, images };
}

async function imagePart(frame: VisionFrame) {
  const jpeg = await readFile(frame.path);
  return { type: 'image_url' as const, image_url: { url: `data:image/jpeg;base64,${jpeg.toString('base64')}` } };
}
