/** Frame descriptions by a chat model that reads images, a few frames in one call, matched by frame id. */
import { readFile } from 'node:fs/promises';
import { ProviderError } from '../errors.ts';
import type {
  CallContext,
  FrameDescription,
  ProviderResult,
  Usage,
  VisionCapability,
  VisionFrame,
  VisionInput,
} from '../types.ts';
import { createStructuredChat, type Ask, type ContentPart } from './chat.ts';
import { createOpenAiApi, stopsEverything, type OpenAiOptions } from './client.ts';
import { badAnswer } from './errors.ts';
import { likelyShowsText } from './textLikelihood.ts';
import { addUsage, NO_CALLS, provenanceOf } from './callUsage.ts';
import { toDescription, VISION_SCHEMA, visionQuestion, type VisionAnswer } from './visionQuestion.ts';

const BATCH_SIZE = 8;

interface Outcome {
  frames: FrameDescription[];
  usage: Usage | null;
  requestId: string | null;
  /**
   * Numbers of frames that the answers left out, that were refused, and that were rejected; then of descriptions that
   * fit no frame.
   */
  missing: number;
  refused: number;
  rejected: number;
  strangers: number;
  error: ProviderError | null;
}

export interface OpenAiVisionOptions extends OpenAiOptions {
  /** Pictures in one call, at most 8. */
  batchSize?: number;
}

/**
 * @returns a capability whose `run` accepts any number of frames and sends at most 8 in a call. Frames that the model
 * omits, refuses or cannot process are left out and counted in the warnings (`missing_frames:n`, `refused_frames:n`,
 * `rejected_frames:n`); if none is left, it is an error.
 */
export function createOpenAiVision(options: OpenAiVisionOptions): VisionCapability {
  const api = createOpenAiApi(options);
  const ask = createStructuredChat(api).answers<VisionAnswer>(VISION_SCHEMA);
  let limit = options.batchSize ?? BATCH_SIZE;

  /** Some servers accept one image per request: if both halves of a batch worked, the limit is lowered. */
  function learn(size: number, outcome: Outcome): Outcome {
    const blameless = outcome.rejected === 0 && outcome.error?.code === 'provider_bad_request';
    if (blameless) limit = Math.min(limit, Math.max(1, Math.floor(size / 2)));
    return outcome;
  }

  async function describe({ frames, ...written }: VisionInput, context: CallContext): Promise<Outcome> {
    try {
      return await describeOnce(ask, { frames, ...written }, context);
    } catch (error) {
      if (!(error instanceof ProviderError) || !isWorthSplitting(error)) throw error;
      if (frames.length === 1) return failed(error);
      const half = Math.ceil(frames.length / 2);
      const left = await describe({ frames: frames.slice(0, half), ...written }, context);
      const right = await describe({ frames: frames.slice(half), ...written }, context);
      return learn(frames.length, { ...merge(left, right), error });
    }
  }

  return {
    model: options.model,
    batchSize: BATCH_SIZE,
    async run({ frames, ...written }, context) {
      let outcome: Outcome | null = null;
      for (let index = 0; index < frames.length;) {
        const batch = frames.slice(index, index + limit);
        const next = await describe({ frames: batch, ...written }, context);
        outcome = outcome ? merge(outcome, next) : next;
        index += batch.length;
      }
      return toResult(outcome, options.model);
    },
  };
}

/** One frame must not lose the other seven: batches are halved after refusals, rejections and cut-off answers. */
function isWorthSplitting(error: ProviderError): boolean {
  if (error.kind === 'refused' || error.code === 'provider_answer_truncated') return true;
  return error.kind === 'permanent' && !stopsEverything(error);
}

async function describeOnce(
  ask: Ask<VisionAnswer>,
  { frames, ...written }: VisionInput,
  context: CallContext,
): Promise<Outcome> {
  const parts = await Promise.all(frames.map(frameParts));
  const answer = await ask(visionQuestion(written), parts.flat(), context);
  const wanted = new Set(frames.map((frame) => frame.id));
  const described = new Map<string, FrameDescription>();
  let strangers = 0;
  for (const entry of answer.value.frames) {
    const known = wanted.has(entry.id) && !described.has(entry.id) && entry.description.trim() !== '';
    if (known) described.set(entry.id, toDescription(entry));
    else strangers += 1;
  }
  if (described.size === 0) throw badAnswer('it describes none of the frames');
  return {
    frames: frames.flatMap((frame) => described.get(frame.id) ?? []),
    usage: answer.usage,
    requestId: answer.requestId,
    missing: frames.length - described.size,
    refused: 0,
    rejected: 0,
    strangers,
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
  // A single frame's answer that is still cut off may be complete next time: the caller retries.
  if (error.kind === 'retryable') throw error;
  const refused = error.kind === 'refused' ? 1 : 0;
  return { frames: [], usage: null, requestId: null, missing: 0, refused, rejected: 1 - refused, strangers: 0, error };
}

function merge(left: Outcome, right: Outcome): Outcome {
  return {
    frames: [...left.frames, ...right.frames],
    usage: right.usage ? addUsage(left.usage, right.usage) : left.usage,
    requestId: right.requestId ?? left.requestId,
    missing: left.missing + right.missing,
    refused: left.refused + right.refused,
    rejected: left.rejected + right.rejected,
    strangers: left.strangers + right.strangers,
    error: right.error ?? left.error,
  };
}

function toResult(outcome: Outcome | null, model: string): ProviderResult<FrameDescription[]> {
  if (outcome && outcome.frames.length === 0 && outcome.error) throw outcome.error;
  const counts = {
    missing_frames: outcome?.missing,
    refused_frames: outcome?.refused,
    rejected_frames: outcome?.rejected,
    unknown_frames: outcome?.strangers,
  };
  return {
    value: outcome?.frames ?? [],
    provenance: provenanceOf({ model }, outcome?.requestId ?? null),
    usage: outcome?.usage ?? NO_CALLS,
    warnings: Object.entries(counts).flatMap(([name, count]) => (count ? [`${name}:${count}`] : [])),
  };
}
