/** The steps that a workflow `item` handles: running, or waiting for their next try. */
import { CancellationScope, sleep } from '@temporalio/workflow';
import { isFinished, type Step, type StepRecord } from '../../domain/analysis/steps.ts';
import type { ItemPlan } from '../../domain/jobs/workflowMessages.ts';
import { MediaAtWork } from './mediaAtWork.ts';

interface ActiveStep {
  revision: number;
  scope: CancellationScope;
  media: MediaAtWork;
  waiting: boolean;
}

export class ActiveSteps {
  readonly #steps = new Map<Step, ActiveStep>();
  readonly #onReleased: (step: Step) => void;

  /** @param onReleased called when a step is no longer active, however it ended */
  constructor(onReleased: (step: Step) => void) {
    this.#onReleased = onReleased;
  }

  has(step: Step): boolean {
    return this.#steps.has(step);
  }

  get isEmpty(): boolean {
    return this.#steps.size === 0;
  }

  get allWaiting(): boolean {
    return [...this.#steps.values()].every((active) => active.waiting);
  }

  get names(): ReadonlySet<Step> {
    return new Set(this.#steps.keys());
  }

  /** The revisions of the running steps, in the form that the plan needs. */
  get revisionsAtWork(): Partial<Record<Step, number>> {
    return Object.fromEntries(
      [...this.#steps].filter(([, active]) => !active.waiting).map(([step, active]) => [step, active.revision]),
    );
  }

  /** Starts the work of a step. `work` must not throw unless it was cancelled. */
  begin(step: Step, revision: number, work: (media: MediaAtWork) => Promise<void>): void {
    this.#take(step, revision, false, work);
  }

  /** Holds a deferred step for the time of a durable timer; `onOver` is not called when it was cancelled. */
  wait(step: Step, revision: number, waitMs: number, onOver: () => void): void {
    this.#take(step, revision, true, async () => {
      await sleep(waitMs, { summary: `next try of ${step}` });
      onOver();
    });
  }

  /**
   * Cancels steps that a newer revision outdated, and steps that are over for other reasons, such as the removal of
   * their last medium. In the steps that go on, cancels the work on removed media.
   * @param plan null when the item no longer exists
   */
  cancelOutdated(plan: ItemPlan | null): void {
    for (const [step, active] of this.#steps) {
      if (!plan || isOver(active, plan.steps[step])) this.#cancel(step, active);
      else if (plan.media) active.media.cancelRemoved(plan.media);
    }
  }

  #take(step: Step, revision: number, waiting: boolean, work: (media: MediaAtWork) => Promise<void>): void {
    const scope = new CancellationScope();
    const media = new MediaAtWork();
    this.#steps.set(step, { revision, scope, media, waiting });
    const done = (): void => this.#release(step, scope);
    const run = (): Promise<void> => work(media);
    scope.run(run).then(done, (error: unknown) => {
      done();
      if (!scope.consideredCancelled) throw error;
    });
  }

  #cancel(step: Step, active: ActiveStep): void {
    this.#steps.delete(step);
    active.scope.cancel();
  }

  #release(step: Step, scope: CancellationScope): void {
    // A cancelled step may be active again already, for a newer revision.
    if (this.#steps.get(step)?.scope === scope) this.#steps.delete(step);
    this.#onReleased(step);
  }
}

function isOver({ revision, waiting }: ActiveStep, record: StepRecord): boolean {
  return revision !== record.revision || isFinished(record.state) || (waiting && record.state !== 'deferred');
}
