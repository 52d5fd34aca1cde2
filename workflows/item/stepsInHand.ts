/** The steps that a workflow `item` is busy with: at work, or waiting for their next try. */
import { CancellationScope, sleep } from '@temporalio/workflow';
import { isFinished, type Step, type StepRecord, type StepRecords } from '../../domain/steps.ts';

interface InHand {
  revision: number;
  scope: CancellationScope;
  waiting: boolean;
}

export class StepsInHand {
  readonly #steps = new Map<Step, InHand>();
  readonly #onHandedBack: (step: Step) => void;

  /** @param onHandedBack called when a step is no longer in hand, whatever its end */
  constructor(onHandedBack: (step: Step) => void) {
    this.#onHandedBack = onHandedBack;
  }

  has(step: Step): boolean {
    return this.#steps.has(step);
  }

  get isEmpty(): boolean {
    return this.#steps.size === 0;
  }

  get allWaiting(): boolean {
    return [...this.#steps.values()].every((inHand) => inHand.waiting);
  }

  get names(): ReadonlySet<Step> {
    return new Set(this.#steps.keys());
  }

  /** The revisions of the steps at work, as the plan wants to know them. */
  get revisionsAtWork(): Partial<Record<Step, number>> {
    return Object.fromEntries(
      [...this.#steps].filter(([, inHand]) => !inHand.waiting).map(([step, inHand]) => [step, inHand.revision]),
    );
  }

  /** Starts the work of a step. `work` must not throw unless it was cancelled. */
  begin(step: Step, revision: number, work: () => Promise<void>): void {
    this.#take(step, revision, false, work);
  }

  /** Holds a deferred step for a durable timer's time; `onOver` is not called when it was let go of. */
  wait(step: Step, revision: number, waitMs: number, onOver: () => void): void {
    this.#take(step, revision, true, async () => {
      await sleep(waitMs, { summary: `next try of ${step}` });
      onOver();
    });
  }

  /**
   * Cancels what a newer revision outdated, and what is over without us: its last medium was removed.
   * @param steps null when the item is gone, and everything with it
   */
  letGoOfOver(steps: StepRecords | null): void {
    for (const [step, inHand] of this.#steps) if (!steps || isOver(inHand, steps[step])) this.#letGo(step, inHand);
  }

  #take(step: Step, revision: number, waiting: boolean, work: () => Promise<void>): void {
    const scope = new CancellationScope();
    this.#steps.set(step, { revision, scope, waiting });
    const done = (): void => this.#handBack(step, scope);
    scope.run(work).then(done, (error: unknown) => {
      done();
      if (!scope.consideredCancelled) throw error;
    });
  }

  #letGo(step: Step, inHand: InHand): void {
    this.#steps.delete(step);
    inHand.scope.cancel();
  }

  #handBack(step: Step, scope: CancellationScope): void {
    // A step that was let go of may be in hand again already, for a newer revision.
    if (this.#steps.get(step)?.scope === scope) this.#steps.delete(step);
    this.#onHandedBack(step);
  }
}

function isOver({ revision, waiting }: InHand, record: StepRecord): boolean {
  return revision !== record.revision || isFinished(record.state) || (waiting && record.state !== 'deferred');
}
