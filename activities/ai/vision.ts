/** Activity of the step vision: describes the frames of one medium. */
import {
  endMediumStep,
  readFramesToDescribe,
  readMediumTodo,
  storeFrameDescriptions,
  type FrameToDescribe,
} from '../../db/analysis/media.ts';
import { startStep } from '../../db/analysis/steps.ts';
import { faultError } from '../../domain/items/errorCodes.ts';
import type { MediumWork } from '../../domain/jobs/workflowMessages.ts';
import { ProviderError, UnusableAnswerError } from '../../providers/errors.ts';
import type { VisionCapability, VisionInput } from '../../providers/types.ts';
import { runWork, type WorkContext } from '../runActivity.ts';
import { callProvider } from './callProvider.ts';
import type { AiActivityDeps } from './deps.ts';
import { languageToDescribe } from './itemLanguage.ts';

export function createVisionActivity(deps: AiActivityDeps) {
  return {
    /** @returns false when there was nothing left to do */
    describeMedium: (work: MediumWork): Promise<boolean> =>
      runWork(
        deps.logger,
        (context) => describeMedium(deps, work, context),
        (fault) => endMediumStep(deps.pool, work, 'failed', fault.error),
      ),
  };
}

async function describeMedium(deps: AiActivityDeps, work: MediumWork, context: WorkContext): Promise<boolean> {
  if (!(await startStep(deps.pool, work))) return false;
  if (!(await readMediumTodo(deps.pool, work))) return false;
  const { vision } = deps.providers;
  if (!vision) return endMediumStep(deps.pool, work, 'skipped', faultError('no_vision_provider'));
  const frames = await readFramesToDescribe(deps.pool, work);
  if (frames.length === 0) return endMediumStep(deps.pool, work, 'skipped', faultError('no_frames'));
  return describe(deps, work, vision, frames, context);
}

/**
 * Describes batch by batch and stores each before the next, so that a lost attempt resumes where it stopped. A batch
 * that the provider refuses is left out, as single frames are: the step fails only if no frame was described. So is a
 * batch with unusable answers if another one shows that the model can do it; the first pictures may be to blame, so two
 * such batches are needed to give up.
 */
async function describe(
  deps: AiActivityDeps,
  work: MediumWork,
  vision: VisionCapability,
  frames: FrameToDescribe[],
  context: WorkContext,
): Promise<boolean> {
  const written = await languageToDescribe(deps.pool, work);
  const left = frames.filter((frame) => frame.ts > describedUntil(context.resumeFrom));
  let failure: ProviderError | null = null;
  let isDescribed = false;
  for (let start = 0; start < left.length; start += vision.batchSize) {
    const batch = left.slice(start, start + vision.batchSize);
    try {
      if (!(await describeBatch(deps, work, vision, { batch, written }, context))) return false;
      isDescribed = true;
    } catch (error) {
      const isProven = isDescribed || left.length < frames.length;
      const isUnusable =
        error instanceof UnusableAnswerError && (isProven || !(failure instanceof UnusableAnswerError));
      if (!isRefusal(error) && !isUnusable) throw error;
      // Another attempt may succeed after unusable answers, but not after refusals.
      failure = isRefusal(error) ? (failure ?? error) : error;
    }
    // An attempt that resumes must know that something was described, so the beginning is repeated until then.
    if (isDescribed || left.length < frames.length) context.progress(batch.at(-1)?.ts);
  }
  if (failure && !isDescribed && left.length === frames.length) throw failure;
  return endMediumStep(deps.pool, work, 'done', null, deps.models.vision);
}

/**
 * Returns true when the provider declined what these frames show, which says nothing about the others. A server that
 * rejects requests as such is not asked for every batch.
 */
function isRefusal(error: unknown): error is ProviderError {
  return error instanceof ProviderError && error.kind === 'refused';
}

async function describeBatch(
  deps: AiActivityDeps,
  work: MediumWork,
  vision: VisionCapability,
  { batch, written }: { batch: FrameToDescribe[]; written: Pick<VisionInput, 'language' | 'fallback'> },
  context: WorkContext,
): Promise<boolean> {
  const timeById = new Map(batch.map((frame) => [String(frame.ts), frame.ts]));
  const call = await deps.blobs.withLocalFiles(
    batch.map((frame) => frame.blobKey),
    (paths) =>
      callProvider(deps, work, context, vision, {
        frames: batch.map((frame, index) => ({ id: String(frame.ts), path: paths[index] ?? '' })),
        ...written,
      }),
  );
  const described = call.value.flatMap((frame) => {
    const ts = timeById.get(frame.id);
    return ts === undefined ? [] : [{ ...frame, ts }];
  });
  return storeFrameDescriptions(deps.pool, work, described, call.provenance);
}

function describedUntil(resumeFrom: unknown): number {
  return typeof resumeFrom === 'number' ? resumeFrom : -1;
}
