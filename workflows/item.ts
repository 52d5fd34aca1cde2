/**
 * The analysis of one item from its first write on: prepare → (speech, vision) → summary → embedding, as far as each is
 * outdated. Every write of the item sends a signal; the workflow then reads the plan again, cancels the steps that the
 * write outdated and continues with the rest. It ends when nothing is left to do; the next write starts it again under
 * the same id.
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
import type { AtOnceActivities } from '../activities/ai/quickSteps.ts';
import type { ItemStepActivities } from '../activities/data/itemSteps.ts';
import { isAsPlanned, runnableSteps } from '../domain/analysis/plan.ts';
import { AT_ONCE_ACTIVITY_OPTIONS, LOCAL_ACTIVITY_OPTIONS } from '../domain/jobs/queues.ts';
import { statesOf, STEPS, withAllSteps, type Step } from '../domain/analysis/steps.ts';
import {
  ITEM_CHANGED_SIGNAL,
  type ItemPlan,
  type ItemWorkflowInput,
  type StepWork,
} from '../domain/jobs/workflowMessages.ts';
import { checklist } from './item/checklist.ts';
import { toldOf } from './item/outcome.ts';
import { runStep } from './item/runStep.ts';
import { isInterruption, stepErrorOf } from './item/stepError.ts';
import { StepsInHand } from './item/stepsInHand.ts';
import { tell } from './outcomeAttributes.ts';

export const itemChanged = defineSignal(ITEM_CHANGED_SIGNAL);

/**
 * An item may be written constantly during one long step. The server refuses the 10,000th signal of a run and ends a
 * run of 51,200 events.
 */
const MAX_HISTORY_EVENTS = 6_000;

/** Pause before a step that our own database interrupted begins again, as often as necessary. */
const INTERRUPTION_PAUSE = '15 seconds';

const data = proxyLocalActivities<ItemStepActivities>(LOCAL_ACTIVITY_OPTIONS);
const atOnce = proxyLocalActivities<AtOnceActivities>(AT_ONCE_ACTIVITY_OPTIONS);

export async function item(input: ItemWorkflowInput): Promise<void> {
  /** Set by everything that makes the current plan stale: a write, or a result that arrived while it was read. */
  let planIsStale = true;
  let stepsEnded = 0;
  /** Number of results included in the current plan. */
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

  /**
   * Returns true when the run should continue as new. A timer can be restarted at no cost. Running steps would be lost,
   * so they are given up only shortly before the server's own limits.
   */
  function shouldContinueAsNew(): boolean {
    const { continueAsNewSuggested, historyLength } = workflowInfo();
    return historyLength > MAX_HISTORY_EVENTS || (continueAsNewSuggested && inHand.allWaiting);
  }

  /**
   * Reads the plan, possibly before the result of a step that has arrived since. While nothing is in hand, a short text
   * is analysed at once, so that its plan shows no work. The comparison and the assignment happen without a pause in
   * between: a result that arrives a moment later is applied to the new plan.
   */
  async function readPlan(): Promise<void> {
    planIsStale = false;
    const takenBefore = resultsTaken;
    const read =
      input.analysesAtOnce && inHand.isEmpty
        ? await atOnce.analyseOrPlan(input)
        : await data.readPlan(input, inHand.revisionsAtWork);
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

  /** Uses the current plan, which is seldom the one that the wait began with. */
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
