import { ProviderError } from '../errors.ts';
import type { CallContext, FrameDescription, VisionCapability, VisionFrame } from '../types.ts';
import { builtinResult, MODELS } from './result.ts';
import { withHeartbeat } from './threads/heartbeat.ts';
import { ThreadDiedError, ThreadJobError, ThreadTimeoutError } from './threads/thread.ts';
import { describePicture, isFlat } from './vision/describe.ts';
import { measurePicture, type PictureFacts } from './vision/facts.ts';
import type { Ocr } from './vision/ocr.ts';

/** Eight frames take about 8 s of OCR on one core: an activity that fails repeats no more than that. */
const BATCH_SIZE = 8;

interface Counts {
  unreadable: number;
  ocrTimeouts: number;
  ocrFailures: number;
}

/**
 * Colours, brightness, sharpness and text of each frame. Safety is not judged (null).
 * A frame that cannot be decoded is left out of the answer; when none can be, fails with `frames_unreadable` (permanent).
 * Warnings: `ocr_without_russian`, `frames_unreadable:n`, `ocr_timeout:n`, `ocr_failed:n`.
 */
export function createVision(ocr: Ocr): VisionCapability {
  return {
    model: MODELS.vision,
    batchSize: BATCH_SIZE,
    run: (frames, context) =>
      withHeartbeat(context.progress, async () => {
        const counts: Counts = { unreadable: 0, ocrTimeouts: 0, ocrFailures: 0 };
        const described = await Promise.all(frames.map((frame) => describeFrame(ocr, frame, context, counts)));
        const value = described.filter((frame) => frame !== null);
        if (frames.length > 0 && value.length === 0)
          throw new ProviderError('permanent', 'frames_unreadable', 'no frame could be decoded');
        return builtinResult(MODELS.vision, value, await warningsOf(ocr, counts), value.length);
      }),
  };
}

async function describeFrame(
  ocr: Ocr,
  frame: VisionFrame,
  context: CallContext,
  counts: Counts,
): Promise<FrameDescription | null> {
  context.signal.throwIfAborted();
  const facts = await measurePicture(frame.path).catch(() => null);
  if (facts === null) {
    counts.unreadable += 1;
    return null;
  }
  const ocrText = await readText(ocr, frame, facts, context.signal, counts);
  const description = describePicture(facts, ocrText !== null);
  return { id: frame.id, description, ocrText, tags: null, safety: null };
}

/** OCR is a bonus: its failure costs the text and a warning, not the frame. Cancellation passes through. */
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

async function warningsOf(ocr: Ocr, counts: Counts): Promise<string[]> {
  const warnings = (await ocr.readsRussian()) ? [] : ['ocr_without_russian'];
  if (counts.unreadable > 0) warnings.push(`frames_unreadable:${counts.unreadable}`);
  if (counts.ocrTimeouts > 0) warnings.push(`ocr_timeout:${counts.ocrTimeouts}`);
  if (counts.ocrFailures > 0) warnings.push(`ocr_failed:${counts.ocrFailures}`);
  return warnings;
}
