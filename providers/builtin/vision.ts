import { FairSlots } from '../../platform/process/concurrency/fairSlots.ts';
import { ProviderError } from '../errors.ts';
import type { CallContext, FrameDescription, VisionCapability, VisionFrame, VisionInput } from '../types.ts';
import type { NudityClassifier } from './nudity.ts';
import { builtinResult } from './builtinResult.ts';
import { MODELS, SAFETY_MODEL } from './modelVersions.ts';
import { withHeartbeat } from './threads/heartbeat.ts';
import { knownLanguage } from './text/detectLanguage.ts';
import { ThreadDiedError, ThreadJobError, ThreadTimeoutError } from './threads/thread.ts';
import { describePicture, isFlat } from './vision/describe.ts';
import { measurePicture } from './vision/pictureFacts.ts';
import type { Ocr } from './vision/ocr.ts';
import { hasTimeLeft, newOcrBudget, type OcrBudget } from './vision/ocrTime.ts';

/** OCR of eight frames takes about 8 s on one core: a failed activity repeats no more than that. */
const BATCH_SIZE = 8;
/**
 * Number of frames of one call that are described at a time: one is read while the next is measured. The others wait
 * here, so that calls take turns at the reader: a frame of noise takes as long as many pages.
 */
const FRAME_CONCURRENCY = 2;
interface Counts {
  unreadable: number;
  ocrTimeouts: number;
  ocrFailures: number;
  unread: number;
  safetyFailures: number;
}

/** The state that the frames of a call share. */
interface Call {
  asked: Omit<VisionInput, 'frames'>;
  counts: Counts;
  budget: OcrBudget;
  /** Frames are read one after another, so that each knows how much time the earlier ones left for it. */
  reading: FairSlots;
}

/**
 * Creates the capability that describes frames: colours, brightness, sharpness, text, and safety as far as it is judged
 * (null without a classifier, and if the classifier fails). A frame that cannot be decoded is left out of the answer;
 * if none can be, the call fails with `frames_unreadable` (permanent). Warnings: `ocr_without_russian`,
 * `frames_unreadable:n`, `ocr_timeout:n`, `ocr_failed:n`, `ocr_unread:n` (frames for which no time was left),
 * `safety_failed:n`.
 */
export function createVision(ocr: Ocr, classifier: NudityClassifier | null): VisionCapability {
  const model = classifier === null ? MODELS.vision : SAFETY_MODEL;
  return {
    model,
    batchSize: BATCH_SIZE,
    run: ({ frames, ...asked }, context) =>
      withHeartbeat(context.progress, async () => {
        const counts: Counts = { unreadable: 0, ocrTimeouts: 0, ocrFailures: 0, unread: 0, safetyFailures: 0 };
        const budget = newOcrBudget(frames.length);
        const call: Call = { asked, counts, budget, reading: new FairSlots(1) };
        const turns = new FairSlots(FRAME_CONCURRENCY);
        const described = await Promise.all(
          frames.map((frame) =>
            turns.run(frame.id, context.signal, () => describeFrame({ ocr, classifier }, frame, call, context)),
          ),
        );
        const value = described.filter((frame) => frame !== null);
        if (frames.length > 0 && value.length === 0)
          throw new ProviderError('permanent', 'frames_unreadable', 'no frame could be decoded');
        return builtinResult(model, value, await warningsOf(ocr, counts), value.length);
      }),
  };
}

interface FrameAnalysers {
  ocr: Ocr;
  classifier: NudityClassifier | null;
}

async function describeFrame(
  { ocr, classifier }: FrameAnalysers,
  frame: VisionFrame,
  call: Call,
  context: CallContext,
): Promise<FrameDescription | null> {
  context.signal.throwIfAborted();
  const facts = await measurePicture(frame.path).catch(() => null);
  if (facts === null) {
    call.counts.unreadable += 1;
    return null;
  }
  const [ocrText, safety] = await Promise.all([
    isFlat(facts) ? null : readText(ocr, frame, context.signal, call),
    classifier === null ? null : classifyFrame(classifier, frame, context.signal, call.counts),
  ]);
  const { language, fallback } = call.asked;
  const written = language ?? knownLanguage(ocrText ?? '') ?? fallback;
  const description = describePicture(facts, ocrText !== null, written);
  return { id: frame.id, description, ocrText, tags: null, safety };
}

/**
 * Reads text. OCR is optional: if it fails or no time is left for it, the frame is kept without its text, and a warning
 * is added. Cancellation is rethrown.
 */
async function readText(
  ocr: Ocr,
  frame: VisionFrame,
  signal: AbortSignal,
  { asked, counts, budget, reading }: Call,
): Promise<string | null> {
  const picture = { path: frame.path, mayBeRotated: asked.mayBeRotated ?? false };
  try {
    return await reading.run(frame.id, signal, () => {
      if (hasTimeLeft(budget)) return ocr.read(picture, signal, budget);
      counts.unread += 1;
      return Promise.resolve(null);
    });
  } catch (error) {
    if (error instanceof ThreadTimeoutError) counts.ocrTimeouts += 1;
    else if (error instanceof ThreadDiedError || error instanceof ThreadJobError) counts.ocrFailures += 1;
    else throw error;
    return null;
  }
}

/**
 * Classifies a frame. If the classifier fails, the frame has no rating, which is never treated as harmless.
 * Cancellation is rethrown.
 */
async function classifyFrame(
  classifier: NudityClassifier,
  frame: VisionFrame,
  signal: AbortSignal,
  counts: Counts,
): Promise<FrameDescription['safety']> {
  try {
    return await classifier.classify(frame.path, signal);
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
  if (counts.unread > 0) warnings.push(`ocr_unread:${counts.unread}`);
  if (counts.safetyFailures > 0) warnings.push(`safety_failed:${counts.safetyFailures}`);
  return warnings;
}
