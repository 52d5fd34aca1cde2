/** Frame descriptions by a chat model that reads images, a few frames in one call, matched by frame id. */
import { readFile } from 'node:fs/promises';
import { ProviderError, UnusableAnswerError } from '../../errors.ts';
import type {
  CallContext,
  FrameDescription,
  ProviderResult,
  Usage,
  VisionCapability,
  VisionFrame,
  VisionInput,
} from '../../types.ts';
import { WRONG_LANGUAGE } from '../chat/answerLanguage.ts';
import { createStructuredChat, type Ask, type ContentPart } from '../chat/chat.ts';
import { asMaterial } from '../chat/untrustedText.ts';
import { BATCH_SIZES } from '../calls/batchSizes.ts';
import { createOpenAiApi, failsEveryRequest, type OpenAiOptions } from '../calls/openAiApi.ts';
import { RejectedRequestError } from '../calls/serverErrors.ts';
import { createLearnedSize } from '../calls/learnedSize.ts';
import { likelyShowsText } from './textLikelihood.ts';
import { addUsage, NO_CALLS, provenanceOf } from '../calls/callUsage.ts';
import { toDescription, VISION_SCHEMA, visionQuestion, type VisionAnswer } from './visionQuestion.ts';

/** After unusable answers about this many frames in a row, one more request shows whether it is the model. */
const HOPELESS_FRAMES = 4;

interface Outcome {
  frames: FrameDescription[];
  usage: Usage | null;
  requestId: string | null;
  /**
   * Numbers of frames that the answers left out, that were refused, that were rejected, and whose answers were
   * unusable; then of descriptions that fit no frame.
   */
  missing: number;
  refused: number;
  rejected: number;
  unusable: number;
  strangers: number;
  /** Some descriptions are in a language other than the requested one. */
  isForeign: boolean;
  error: ProviderError | null;
}

export interface OpenAiVisionOptions extends OpenAiOptions {
  /** Pictures in one call, at most 8. */
  batchSize?: number;
  /** Tokens of the model's context, with the answer; 0 or undefined: unknown. */
  contextTokens?: number;
}

/** Tokens of a prompt without pictures: the instructions and the schema. */
const INSTRUCTION_TOKENS = 1_500;
/**
 * Tokens of a picture of 1,024 pixels. Llama 3.2 Vision has 1,601 a tile, Qwen2.5-VL about 1,400, LLaVA 576, Gemma 3
 * 256; OpenAI's models have up to 1,105 with `detail: high`.
 */
const PICTURE_TOKENS = 1_600;
/** Tokens of the answer about a picture. */
const DESCRIPTION_TOKENS = 250;

/** Returns how many pictures fit a context; at least one, because a picture may have fewer tokens than assumed. */
function picturesIn(contextTokens: number): number {
  return Math.max(1, Math.floor((contextTokens - INSTRUCTION_TOKENS) / (PICTURE_TOKENS + DESCRIPTION_TOKENS)));
}

/** The frames in one call of a run. */
interface Batching {
  frames: number;
  /** True if a batch was too large and its halves were not. */
  isReduced: boolean;
}

/**
 * @returns a capability whose `run` accepts any number of frames and sends at most 8 in a call. Frames that the model
 *   omits, refuses, cannot process or answers unusably are left out and counted in the warnings (`missing_frames:n`,
 *   `refused_frames:n`, `rejected_frames:n`, `unusable_frames:n`); if none is left, it is an error. Descriptions that
 *   fit no frame are counted too (`unknown_frames:n`). Descriptions in another language than requested, even after a
 *   correction, are kept with the warning `wrong_language`.
 */
export function createOpenAiVision(options: OpenAiVisionOptions): VisionCapability {
  const api = createOpenAiApi(options);
  const ask = createStructuredChat(api).answers<VisionAnswer>(VISION_SCHEMA, (answer) =>
    answer.frames.map(({ description }) => description),
  );
  const { batchSize = BATCH_SIZES.vision.usual, contextTokens = 0 } = options;
  const size = createLearnedSize(contextTokens > 0 ? Math.min(batchSize, picturesIn(contextTokens)) : batchSize);

  /** Some servers accept one image per request: if both halves of a batch worked, the batch was too large. */
  function learn(batching: Batching, sent: number, outcome: Outcome): Outcome {
    const { error } = outcome;
    if (outcome.rejected > 0 || error?.kind !== 'permanent') return outcome;
    batching.isReduced = true;
    batching.frames = Math.min(batching.frames, Math.max(1, Math.floor(sent / 2)));
    if (error instanceof RejectedRequestError && error.maxPictures !== null)
      size.limited(Math.max(batching.frames, error.maxPictures));
    return outcome;
  }

  async function describe(input: VisionInput, batching: Batching, context: CallContext): Promise<Outcome> {
    const { frames } = input;
    try {
      return await describeOnce(ask, input, context);
    } catch (error) {
      if (!(error instanceof ProviderError) || !isWorthSplitting(error)) throw error;
      if (frames.length === 1) return failed(error);
      const half = Math.ceil(frames.length / 2);
      const left = await describe({ ...input, frames: frames.slice(0, half) }, batching, context);
      const isHopeless = left.unusable >= HOPELESS_FRAMES && left.unusable === half;
      const rest = { ...input, frames: frames.slice(half) };
      const right = await (isHopeless ? describeOnce(ask, rest, context) : describe(rest, batching, context));
      return learn(batching, frames.length, { ...merge(left, right), error });
    }
  }

  return {
    model: options.model,
    batchSize: BATCH_SIZES.vision.most,
    async run({ frames, ...written }, context) {
      const batching: Batching = { frames: size.current(), isReduced: false };
      let outcome: Outcome | null = null;
      for (let index = 0; index < frames.length;) {
        const batch = frames.slice(index, index + batching.frames);
        const next = await describe({ frames: batch, ...written }, batching, context);
        outcome = outcome ? merge(outcome, next) : next;
        index += batch.length;
      }
      if (batching.isReduced) size.refused({ item: context.item, read: batching.frames });
      else if (outcome && !outcome.error) size.worked(Math.min(frames.length, batching.frames));
      return toResult(outcome, options.model);
    },
  };
}

/**
 * One frame must not lose the other seven: batches are halved after refusals, rejections and unusable answers, such as
 * those of a model that does what a picture says.
 */
function isWorthSplitting(error: ProviderError): boolean {
  if (error.kind === 'refused' || error instanceof UnusableAnswerError) return true;
  return error.kind === 'permanent' && !failsEveryRequest(error);
}

async function describeOnce(
  ask: Ask<VisionAnswer>,
  { frames, ...written }: VisionInput,
  context: CallContext,
): Promise<Outcome> {
  const parts = await Promise.all(frames.map(frameParts));
  const { languageSample } = written;
  const sample = languageSample === undefined ? [] : asMaterial(languageSample);
  const answer = await ask(visionQuestion(written), [...sample, ...parts.flat()], context);
  const wanted = new Set(frames.map((frame) => frame.id));
  const described = new Map<string, FrameDescription>();
  let strangers = 0;
  for (const entry of answer.value.frames) {
    const known = wanted.has(entry.id) && !described.has(entry.id) && entry.description.trim() !== '';
    if (known) described.set(entry.id, toDescription(entry));
    else strangers += 1;
  }
  if (described.size === 0) throw new UnusableAnswerError('provider_bad_answer', 'it describes none of the frames');
  return {
    frames: frames.flatMap((frame) => described.get(frame.id) ?? []),
    usage: answer.usage,
    requestId: answer.requestId,
    missing: frames.length - described.size,
    refused: 0,
    rejected: 0,
    unusable: 0,
    strangers,
    isForeign: answer.isForeign ?? false,
    error: null,
  };
}

/** The id precedes its picture; small text needs more detail (`detail: high`). */
async function frameParts(frame: VisionFrame): Promise<ContentPart[]> {
  const jpeg = await readFile(frame.path);
  const detail = (await likelyShowsText(jpeg)) ? 'high' : 'low';
  const url = `data:image/jpeg;base64,${jpeg.toString('base64')}`;
  return [
    { type: 'text', text: `Frame id: ${frame.id}` },
    { type: 'image_url', image_url: { url, detail } },
  ];
}

function failed(error: ProviderError): Outcome {
  const unusable = error.kind === 'retryable' ? 1 : 0;
  const refused = error.kind === 'refused' ? 1 : 0;
  const rejected = 1 - unusable - refused;
  const counts = { missing: 0, refused, rejected, unusable, strangers: 0 };
  return { frames: [], usage: null, requestId: null, ...counts, isForeign: false, error };
}

function merge(left: Outcome, right: Outcome): Outcome {
  return {
    frames: [...left.frames, ...right.frames],
    usage: right.usage ? addUsage(left.usage, right.usage) : left.usage,
    requestId: right.requestId ?? left.requestId,
    missing: left.missing + right.missing,
    refused: left.refused + right.refused,
    rejected: left.rejected + right.rejected,
    unusable: left.unusable + right.unusable,
    strangers: left.strangers + right.strangers,
    isForeign: left.isForeign || right.isForeign,
    error: right.error ?? left.error,
  };
}

function toResult(outcome: Outcome | null, model: string): ProviderResult<FrameDescription[]> {
  if (outcome && outcome.frames.length === 0 && outcome.error) throw outcome.error;
  const counts = {
    missing_frames: outcome?.missing,
    refused_frames: outcome?.refused,
    rejected_frames: outcome?.rejected,
    unusable_frames: outcome?.unusable,
    unknown_frames: outcome?.strangers,
  };
  return {
    value: outcome?.frames ?? [],
    provenance: provenanceOf({ model }, outcome?.requestId ?? null),
    usage: outcome?.usage ?? NO_CALLS,
    warnings: [
      ...Object.entries(counts).flatMap(([name, count]) => (count ? [`${name}:${count}`] : [])),
      ...(outcome?.isForeign ? [WRONG_LANGUAGE] : []),
    ],
  };
}
