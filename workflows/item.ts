/**
 * The analysis of one item, from its first write on: prepare → (speech, vision) → summary →
 * embedding, as far as each is outdated. Every write of the item signals; the workflow then reads
 * the plan again, lets go of what the write outdated and goes on with the rest. It ends when
 * nothing is left to do; the next write starts it anew under the same id.
 */
import {
  CancellationScope,
  condition,
  continueAsNew,
  defineSignal,
  proxyLocalActivities,
  setCurrentDetails,
  setHandler,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import type { ItemStepActivities } from '../activities/data/itemSteps.ts';
import { isAsPlanned, runnableSteps } from '../domain/plan.ts';
import { LOCAL_ACTIVITY_OPTIONS } from '../domain/queues.ts';
import { statesOf, STEPS, withAllSteps, type Step } from '../domain/steps.ts';
import {
  ITEM_CHANGED_SIGNAL,
  type ItemPlan,
  type ItemWorkflowInput,
  type StepWork,
} from '../domain/workflowMessages.ts';
import { checklist } from './item/checklist.ts';
import { toldOf } from './item/outcome.ts';
import { runStep } from './item/runStep.ts';
import { isInterruption, stepErrorOf } from './item/stepError.ts';
import { StepsInHand } from './item/stepsInHand.ts';
import { tell } from './tell.ts';

export const itemChanged = defineSignal(ITEM_CHANGED_SIGNAL);

/**
 * An item may be written to all the time while one long step is at work. The server refuses the
 * 10,000th signal of a run and ends a run of 51,200 events.
 */
const MAX_HISTORY_EVENTS = 6_000;

/** A step that our own database interrupted begins again after this, as often as it takes. */
const INTERRUPTION_PAUSE = '15 seconds';

const data = proxyLocalActivities<ItemStepActivities>(LOCAL_ACTIVITY_OPTIONS);

export async function item(input: ItemWorkflowInput): Promise<void> {
  /** Set by whatever makes the plan in hand stale: a write, or a result that came while it was read. */
  let planIsStale = true;
  let stepsEnded = 0;
  /** Results that went into the plan in hand. */
  let resultsTaken = 0;
  let plan = null as ItemPlan | null;
  const inHand = new StepsInHand(() => {
    stepsEnded += 1;
  });
  setHandler(itemChanged, () => {
    planIsStale = true;
  });

  for (;;) {
    if (planIsStale) await readPlan();
    inHand.letGoOfOver(plan?.steps ?? null);
    if (planIsStale) continue;
    if (!plan) return endAsGone();

    waitForDeferredSteps(plan);
    beginRunnableSteps(plan);
    setCurrentDetails(checklist(plan.steps, inHand.names));
    if (input.tellsOutcome) tell(toldOf(plan.steps));
    if (inHand.isEmpty) return;
    if (shouldContinueAsNew()) return continueAsNew<typeof item>(input);

    const endedBefore = stepsEnded;
    await condition(() => planIsStale || stepsEnded > endedBefore);
  }

  function endAsGone(): void {
    if (input.tellsOutcome) tell({ outcome: 'gone' });
  }

  /** A timer is begun anew for nothing, work is not: it is given up only before the server's own limits. */
  function shouldContinueAsNew(): boolean {
    const { continueAsNewSuggested, historyLength } = workflowInfo();
    return historyLength > MAX_HISTORY_EVENTS || (continueAsNewSuggested && inHand.allWaiting);
  }

  /**
   * The plan may have been read before the result of a step that has come since. It is compared and put
   * in hand at one go: a result that comes a moment later goes into the new plan.
   */
  async function readPlan(): Promise<void> {
    planIsStale = false;
    const takenBefore = resultsTaken;
    const read = await data.readPlan(input, inHand.revisionsAtWork);
    plan = read && { ...read, steps: withAllSteps(read.steps) };
    if (resultsTaken > takenBefore) planIsStale = true;
  }

  function waitForDeferredSteps({ steps, retryInMs }: ItemPlan): void {
    for (const step of STEPS) {
      const waitMs = retryInMs[step];
      if (waitMs === undefined || steps[step].state !== 'deferred' || inHand.has(step)) continue;
      inHand.wait(step, steps[step].revision, waitMs, () => tryAgain(step));
    }
  }

  /** The plan in hand now, which is seldom the one that the wait began with. */
  function tryAgain(step: Step): void {
    if (plan?.steps[step].state !== 'deferred') return;
    plan = { ...plan, steps: { ...plan.steps, [step]: { ...plan.steps[step], state: 'queued', retryAt: null } } };
  }

  function beginRunnableSteps(current: ItemPlan): void {
    for (const step of runnableSteps(statesOf(current.steps))) {
      if (inHand.has(step)) continue;
      const { revision } = current.steps[step];
      inHand.begin(step, revision, () => runOrPutOff({ ...input, step, revision }, current));
    }
  }

  async function runOrPutOff(work: StepWork, planned: ItemPlan): Promise<void> {
    try {
      const steps = await runStep(work, planned);
      resultsTaken += 1;
      if (steps && plan && isAsPlanned(steps, plan.steps)) plan = { ...plan, steps };
      else planIsStale = true;
    } catch (error) {
      if (CancellationScope.current().consideredCancelled) throw error;
      if (isInterruption(error))
        await sleep(INTERRUPTION_PAUSE, { summary: `${work.step} was interrupted and begins again` });
      else await data.putOffStep(work, stepErrorOf(error));
      planIsStale = true;
    }
  }
}
