import { Slots } from '../../platform/process/fairSlots.ts';
import { ProviderError } from '../errors.ts';
import type { CallContext, FrameDescription, VisionCapability, VisionFrame } from '../types.ts';
import type { NudityJudge } from './nudity.ts';
import { builtinResult, MODELS, SAFETY_MODEL } from './result.ts';
import { withHeartbeat } from './threads/heartbeat.ts';
import { ThreadDiedError, ThreadJobError, ThreadTimeoutError } from './threads/thread.ts';
import { describePicture, isFlat } from './vision/describe.ts';
import { measurePicture, type PictureFacts } from './vision/facts.ts';
import type { Ocr } from './vision/ocr.ts';

/** OCR of eight frames takes about 8 s on one core: a failed activity repeats no more than that. */
const BATCH_SIZE = 8;
/**
 * Frames of one call that are described at once: one is read while the next is measured. The others wait here and not
 * for the reader, so that calls take turns there: a frame of noise takes as long as many pages.
 */
const DESCRIBED_AT_ONCE = 2;

interface Counts {
  unreadable: number;
  ocrTimeouts: number;
  ocrFailures: number;
  safetyFailures: number;
}

/**
 * Creates descriptions of each frame: colours, brightness, sharpness, text, and safety as far as it is judged (null
 * without a judge, and if the judge fails). A frame that cannot be decoded is left out of the answer; if none can be,
 * it fails with `frames_unreadable` (permanent). Warnings: `ocr_without_russian`, `frames_unreadable:n`,
 * `ocr_timeout:n`, `ocr_failed:n`, `safety_failed:n`.
 */
export function createVision(ocr: Ocr, judge: NudityJudge | null): VisionCapability {
  const model = judge === null ? MODELS.vision : SAFETY_MODEL;
  return {
    model,
    batchSize: BATCH_SIZE,
    run: ({ frames, language }, context) =>
      withHeartbeat(context.progress, async () => {
        const counts: Counts = { unreadable: 0, ocrTimeouts: 0, ocrFailures: 0, safetyFailures: 0 };
        const turns = new Slots(DESCRIBED_AT_ONCE);
        const described = await Promise.all(
          frames.map((frame) =>
            turns.run(frame.id, context.signal, () =>
              describeFrame({ ocr, judge }, frame, { language, counts }, context),
            ),
          ),
        );
        const value = described.filter((frame) => frame !== null);
        if (frames.length > 0 && value.length === 0)
          throw new ProviderError('permanent', 'frames_unreadable', 'no frame could be decoded');
        return builtinResult(model, value, await warningsOf(ocr, counts), value.length);
      }),
  };
}

interface Eyes {
  ocr: Ocr;
  judge: NudityJudge | null;
}

async function describeFrame(
  { ocr, judge }: Eyes,
  frame: VisionFrame,
  { language, counts }: { language: string | null; counts: Counts },
  context: CallContext,
): Promise<FrameDescription | null> {
  context.signal.throwIfAborted();
  const facts = await measurePicture(frame.path).catch(() => null);
  if (facts === null) {
    counts.unreadable += 1;
    return null;
  }
  const [ocrText, safety] = await Promise.all([
    readText(ocr, frame, facts, context.signal, counts),
    judge === null ? null : judgeFrame(judge, frame, context.signal, counts),
  ]);
  const description = describePicture(facts, ocrText !== null, language);
  return { id: frame.id, description, ocrText, tags: null, safety };
}

/**
 * Reads text. OCR is optional: a failure loses the text and adds a warning, but keeps the frame. Cancellation is
 * rethrown.
 */
async function readText(
  ocr: Ocr,
  frame: VisionFrame,
  facts: PictureFacts,
  signal: AbortSignal,
  counts: Counts,
): Promise<string | null> {
  if (isFlat(facts)) return null;
  try {
    return await ocr.read(frame.path, signal);
  } catch (error) {
    if (error instanceof ThreadTimeoutError) counts.ocrTimeouts += 1;
    else if (error instanceof ThreadDiedError || error instanceof ThreadJobError) counts.ocrFailures += 1;
    else throw error;
    return null;
  }
}

/**
 * Judges a frame. If the judge fails, the frame stays unjudged, which is never treated as harmless. Cancellation is
 * rethrown.
 */
async function judgeFrame(
  judge: NudityJudge,
  frame: VisionFrame,
  signal: AbortSignal,
  counts: Counts,
): Promise<FrameDescription['safety']> {
  try {
    return await judge.judge(frame.path, signal);
  } catch {
    signal.throwIfAborted();
    counts.safetyFailures += 1;
    return null;
  }
}

async function warningsOf(ocr: Ocr, counts: Counts): Promise<string[]> {
  const warnings = (await ocr.readsRussian()) ? [] : ['ocr_without_russian'];
  if (counts.unreadable > 0) warnings.push(`frames_unreadable:${counts.unreadable}`);
  if (counts.ocrTimeouts > 0) warnings.push(`ocr_timeout:${counts.ocrTimeouts}`);
  if (counts.ocrFailures > 0) warnings.push(`ocr_failed:${counts.ocrFailures}`);
  if (counts.safetyFailures > 0) warnings.push(`safety_failed:${counts.safetyFailures}`);
  return warnings;
}
