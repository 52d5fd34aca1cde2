/** Activity of the step vision: describes the frames of one medium. */
import {
  endMediumStep,
  readFramesToDescribe,
  readMediumTodo,
  storeFrameDescriptions,
  type FrameToDescribe,
} from '../../db/analysis/mediaSteps.ts';
import { startStep } from '../../db/analysis/steps.ts';
import type { MediaKind } from '../../domain/analysis/steps.ts';
import { isLastDeferral } from '../../domain/analysis/deferral.ts';
import { faultError } from '../../domain/items/errorCodes.ts';
import type { MediumWork } from '../../domain/jobs/workflowMessages.ts';
import { EmptyAnswerError, ProviderError, UnusableAnswerError } from '../../providers/errors.ts';
import type { CallContext, VisionCapability, VisionInput } from '../../providers/types.ts';
import { currentLogFields } from '../logFields.ts';
import { runWork, type WorkContext } from '../runActivity.ts';
import { callProvider } from './callProvider.ts';
import type { AiActivityDeps } from './deps.ts';
import { descriptionLanguage } from './itemLanguage.ts';
import { endedUnanswered, isLastAttempt } from './schedule.ts';

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
  const medium = await readMediumTodo(deps.pool, work);
  if (!medium) return false;
  const { vision } = deps.providers;
  if (!vision) return endMediumStep(deps.pool, work, 'skipped', faultError('no_vision_provider'));
  const frames = await readFramesToDescribe(deps.pool, work);
  if (frames.length === 0) return endMediumStep(deps.pool, work, 'skipped', faultError('no_frames'));
  const isLast = isLastAttempt();
  const position = {
    isLast,
    isLastTry: isLast && isLastDeferral(medium.deferrals),
    wasUnanswered: endedUnanswered(medium),
  };
  return describe(deps, work, vision, { frames, kind: medium.kind, ...position }, context);
}

/** Where in the schedule an attempt is. */
interface AttemptPosition {
  /** It is the last of the quick attempts. */
  isLast: boolean;
  isLastTry: boolean;
  /** See `CallContext`. */
  wasUnanswered: boolean;
}

/** After more consecutive failures the server is to blame, not the pictures. */
const MAX_CONSECUTIVE_FAILURES = 3;

/**
 * Describes batch by batch and stores each before the next, so that a lost attempt resumes where it stopped. A batch
 * that the provider refuses is left out, as single frames are: the step fails only if no frame was described. A batch
 * with unusable answers is also left out if another one shows that the model can describe pictures. The first such
 * batch does not end the attempt, because its pictures may be the cause and not the model; the second does. A batch
 * with empty answers is left out only in the last of the quick attempts, because the server may be overloaded. In the
 * last try, the halves of a batch that fails are moved behind the others, so that only the picture that crashes the
 * server is left out.
 */
async function describe(
  deps: AiActivityDeps,
  work: MediumWork,
  vision: VisionCapability,
  { frames, kind, isLast, isLastTry, wasUnanswered }: { frames: FrameToDescribe[]; kind: MediaKind } & AttemptPosition,
  context: WorkContext,
): Promise<boolean> {
  const patience = { wasUnanswered, isLastAttempt: isLast };
  const sharedInput = { ...(await descriptionLanguage(deps.pool, work)), mayBeRotated: kind === 'image' };
  const left = frames.filter((frame) => frame.ts > describedUntil(context.resumeFrom));
  const batches = inBatches(left, vision.batchSize);
  let failure: ProviderError | null = null;
  // Progress is first recorded when a frame has been described, so recorded progress proves that the model works.
  let isDescribed = left.length < frames.length;
  let isInOrder = true;
  let failuresInARow = 0;
  for (let batch = batches.shift(); batch; batch = batches.shift()) {
    try {
      if (!(await describeBatch(deps, work, vision, { batch, sharedInput, patience }, context))) return false;
      [isDescribed, failuresInARow] = [true, 0];
    } catch (error) {
      if (error instanceof EmptyAnswerError && !isLast) throw error;
      const isUnusable =
        error instanceof UnusableAnswerError && (isDescribed || !(failure instanceof UnusableAnswerError));
      if (!isRefusal(error) && !isUnusable) {
        failuresInARow += 1;
        if (!isLastTry || !isTemporary(error) || failuresInARow > MAX_CONSECUTIVE_FAILURES) throw error;
        isInOrder = false;
        if (batch.length > 1) batches.push(...inBatches(batch, Math.ceil(batch.length / 2)));
        else deps.logger.warn({ ...currentLogFields(), fault: error.code, ts: batch[0]?.ts }, 'picture left out');
      }
      // Another attempt may succeed after unusable answers, but not after refusals.
      failure = isRefusal(error) ? (failure ?? error) : error;
    }
    if (isDescribed && isInOrder) context.progress(batch.at(-1)?.ts);
  }
  if (failure && !isDescribed) throw failure;
  return endMediumStep(deps.pool, work, 'done', null, deps.models.vision);
}

function inBatches(frames: readonly FrameToDescribe[], size: number): FrameToDescribe[][] {
  return Array.from({ length: Math.ceil(frames.length / size) }, (_, at) => frames.slice(at * size, (at + 1) * size));
}

function isTemporary(error: unknown): error is ProviderError {
  return error instanceof ProviderError && error.kind === 'retryable';
}

/**
 * Returns true when the provider declined what these frames show, which says nothing about the others. An error about
 * the request itself, whatever its pictures show, is no refusal: it ends the attempt, so that the server is not asked
 * for every batch.
 */
function isRefusal(error: unknown): error is ProviderError {
  return error instanceof ProviderError && error.kind === 'refused';
}

interface Batch {
  batch: FrameToDescribe[];
  sharedInput: Omit<VisionInput, 'frames'>;
  patience: Pick<CallContext, 'wasUnanswered' | 'isLastAttempt'>;
}

async function describeBatch(
  deps: AiActivityDeps,
  work: MediumWork,
  vision: VisionCapability,
  { batch, sharedInput, patience }: Batch,
  context: WorkContext,
): Promise<boolean> {
  const timeById = new Map(batch.map((frame) => [String(frame.ts), frame.ts]));
  const call = await deps.blobs.withLocalFiles(
    batch.map((frame) => frame.blobKey),
    (paths) => {
      const frames = batch.map((frame, index) => ({ id: String(frame.ts), path: paths[index] ?? '' }));
      const options = { capability: 'vision', patience } as const;
      return callProvider(deps, work, context, vision, { frames, ...sharedInput }, options);
    },
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
