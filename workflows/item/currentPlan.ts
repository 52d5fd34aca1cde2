/** The plan that a workflow `item` works by. */
import { isAsPlanned } from '../../domain/analysis/plan.ts';
import { withAllSteps, type Step } from '../../domain/analysis/steps.ts';
import type { ItemPlan, StepResult } from '../../domain/jobs/workflowMessages.ts';

export class CurrentPlan {
  #plan: ItemPlan | null = null;
  #isStale = true;
  /** Number of results included in the plan. */
  #resultsTaken = 0;

  /** Null before the first reading, and when the item no longer exists. */
  get plan(): ItemPlan | null {
    return this.#plan;
  }

  /** Whether it has to be read again, because of a write, or of a result that arrived while it was read. */
  get isStale(): boolean {
    return this.#isStale;
  }

  markStale(): void {
    this.#isStale = true;
  }

  /**
   * Reads the plan. If the result of a step arrives during the read, the plan may lack it, and is stale. The assignment
   * and the comparison happen without a pause in between, so a result that arrives later is applied to the new plan.
   */
  async renew(read: () => Promise<ItemPlan | null>): Promise<void> {
    this.#isStale = false;
    const takenBefore = this.#resultsTaken;
    const plan = await read();
    this.#plan = plan && { ...plan, steps: withAllSteps(plan.steps) };
    if (this.#resultsTaken > takenBefore) this.#isStale = true;
  }

  /** Includes the result of a step; null when only a new plan shows it. */
  take(steps: StepResult): void {
    this.#resultsTaken += 1;
    if (steps && this.#plan && isAsPlanned(steps, this.#plan.steps)) this.#plan = { ...this.#plan, steps };
    else this.#isStale = true;
  }

  /** Queues a step whose wait is over, if it still waits: the plan is seldom the one that the wait began with. */
  queueDeferred(step: Step): void {
    const plan = this.#plan;
    if (plan?.steps[step].state !== 'deferred') return;
    this.#plan = { ...plan, steps: { ...plan.steps, [step]: { ...plan.steps[step], state: 'queued', retryAt: null } } };
  }
}
