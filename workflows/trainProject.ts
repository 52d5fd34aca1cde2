/**
 * Trains a project's model on its people's events: reads the events, chooses settings, solves, and publishes the model
 * if it is better. activities/training/faultsAndOutages.ts decides how many faults and how long an outage a step
 * survives.
 */
import {
  ApplicationFailure,
  CancellationScope,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
} from '@temporalio/workflow';
import type { TrainingActivities } from '../activities/training/index.ts';
import type { JobInput } from '../domain/jobs/jobs.ts';
import type { ModelReason } from '../domain/training/models.ts';
import {
  rangesOf,
  type ColumnsToSolve,
  type TrainingRead,
  type TrainingRef,
} from '../domain/training/trainingMessages.ts';
import { ACTIVITY_OPTIONS } from '../domain/jobs/activityOptions.ts';
import { reportOutcome } from './outcomeAttributes.ts';

const training = proxyActivities<TrainingActivities>(ACTIVITY_OPTIONS.training);

/** The result: published, or the reason why not. */
export interface TrainingOutcome {
  state: 'published' | 'rejected' | 'over';
  reason: ModelReason | null;
}

export async function trainProject({ projectId, entityId }: JobInput): Promise<TrainingOutcome> {
  const ref: TrainingRef = { projectId, modelId: entityId };
  const progress = new Progress();
  try {
    return await train(ref, progress);
  } catch (error) {
    // A cancelled training is closed, so that the next one begins from the start.
    await CancellationScope.nonCancellable(() => training.giveUp(ref, 'failed', 'internal'));
    progress.show(isCancellation(error) ? 'cancelled' : 'failed');
    reportOutcome({ outcome: 'failed' });
    if (isCancellation(error)) throw error;
    throw ApplicationFailure.create({
      message: 'the training failed',
      type: 'training_failed',
      nonRetryable: true,
      // The cause is an error of an activity, which contains only the name of a fault (activities/runChunk.ts).
      ...(error instanceof Error && { cause: error }),
    });
  }
}

/**
 * Why the model is not published, and whether its pairs (the items that are ordered together) are used nevertheless.
 */
interface Rejection {
  reason: ModelReason;
  keepsPairs: boolean;
}

async function train(ref: TrainingRef, progress: Progress): Promise<TrainingOutcome> {
  const options = (summary: string) => ({
    ...ACTIVITY_OPTIONS.training,
    summary,
    priority: { fairnessKey: ref.projectId },
  });
  progress.show('reading events');
  const read = await training.readEvents.executeWithOptions(options('Reads the events'), [ref]);
  if (read === null) return { state: 'over', reason: null };
  progress.done(`${read.events} events of ${read.people} people and ${read.items} items read`);

  const toSolve = await decide(read);
  if ('reason' in toSolve) {
    const { reason, keepsPairs } = toSolve;
    const summary = 'Keeps what is ordered together';
    if (keepsPairs) await training.keepPairs.executeWithOptions(options(summary), [ref, reason]);
    else await training.giveUp(ref, 'rejected', reason);
    progress.show(`not published: ${reason}`);
    reportOutcome({ outcome: 'done' });
    return { state: 'rejected', reason };
  }
  for (const range of rangesOf(toSolve)) {
    const { part, from, to } = range;
    progress.show(`solving ${part}: column ${from} of ${toSolve[part]}`);
    const summary = `${part}: columns ${from} to ${to}`;
    await training.solveColumns.executeWithOptions(options(summary), [ref, range, read.kind]);
  }
  progress.done(`${toSolve.taste} taste columns and ${toSolve.transition} transition columns solved`);
  await training.publish.executeWithOptions(options('Publishes the model'), [ref, toSolve, read.kind]);
  progress.done('published');
  reportOutcome({ outcome: 'done' });
  return { state: 'published', reason: null };

  /** Returns the columns to solve, or the reason why there are none. */
  async function decide({ kind, items }: TrainingRead): Promise<ColumnsToSolve | Rejection> {
    if (kind === 'changes') {
      progress.show('looking for changes');
      return training.planChanges.executeWithOptions(options('Finds changes'), [ref]);
    }
    progress.show('trying settings on the last window');
    const verdict = await training.chooseSettings.executeWithOptions(options('Tries settings'), [ref]);
    // A verdict from before pairs were kept does not have the field.
    const { reason, quality, keepsPairs = false } = verdict;
    if (quality) progress.done(`nDCG@10 ${share(quality.ndcg)}; by popularity ${share(quality.popular_7d)}`);
    return reason === null ? { taste: items, transition: items } : { reason, keepsPairs };
  }
}

const share = (value: number): string => value.toFixed(4);

/** Finished and current steps, as text for operators. */
class Progress {
  readonly #lines: string[] = [];

  done(line: string): void {
    this.#lines.push(`- [x] ${line}`);
    setCurrentDetails(this.#lines.join('\n'));
  }

  show(line: string): void {
    setCurrentDetails([...this.#lines, `- [ ] ${line}`].join('\n'));
  }
}
