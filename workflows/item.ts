/**
 * The analysis of one item from its first write on: prepare → (speech, vision) → summary → embedding, as far as each is
 * outdated. Every write of the item sends a signal; the workflow then reads the plan again, cancels the steps that the
 * write outdated, and the work on media that it removed, and continues with the rest. It ends when nothing is left to
 * do; the next write starts it again under the same id.
 */
import {
  condition,
  continueAsNew,
  defineSignal,
  proxyLocalActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { ShortTextActivities } from '../activities/ai/analyseShortText.ts';
import type { ItemStepActivities } from '../activities/data/itemSteps.ts';
import { runnableSteps } from '../domain/analysis/plan.ts';
import { AT_ONCE_ACTIVITY_OPTIONS, LOCAL_ACTIVITY_OPTIONS } from '../domain/jobs/activityOptions.ts';
import { statesOf, STEPS } from '../domain/analysis/steps.ts';
import { ITEM_CHANGED_SIGNAL, type ItemPlan, type ItemWorkflowInput } from '../domain/jobs/workflowMessages.ts';
import { checklist } from './item/checklist.ts';
import { CurrentPlan } from './item/currentPlan.ts';
import { outcomeOf } from './item/outcome.ts';
import { MAX_HISTORY_EVENTS } from './historyLimit.ts';
import { runOrDefer } from './item/runOrDefer.ts';
import { ActiveSteps } from './item/activeSteps.ts';
import { reportOutcome } from './outcomeAttributes.ts';

export const itemChanged = defineSignal(ITEM_CHANGED_SIGNAL);

const data = proxyLocalActivities<ItemStepActivities>(LOCAL_ACTIVITY_OPTIONS);
const atOnce = proxyLocalActivities<ShortTextActivities>(AT_ONCE_ACTIVITY_OPTIONS);

export async function item(input: ItemWorkflowInput): Promise<void> {
  const current = new CurrentPlan();
  let stepsEnded = 0;
  const active = new ActiveSteps(() => {
    stepsEnded += 1;
  });
  setHandler(itemChanged, () => current.markStale());

  for (;;) {
    if (current.isStale) await current.renew(() => readPlan(input, active));
    const { plan } = current;
    active.cancelOutdated(plan);
    if (current.isStale) continue;
    if (!plan) return endAsGone(input);

    waitForDeferredSteps(plan, current, active);
    beginRunnableSteps(input, plan, current, active);
    setCurrentDetails(checklist(plan.steps, active.names));
    if (input.tellsOutcome) reportOutcome(outcomeOf(plan.steps));
    if (active.isEmpty) return;
    if (shouldContinueAsNew(active)) return continueAsNew<typeof item>(input);

    const endedBefore = stepsEnded;
    await condition(() => current.isStale || stepsEnded > endedBefore);
  }
}

/** While no step is active, a short text is analysed at once, so that its plan shows no work. */
function readPlan(input: ItemWorkflowInput, active: ActiveSteps): Promise<ItemPlan | null> {
  if (input.analysesAtOnce && active.isEmpty) return atOnce.analyseOrPlan(input);
  return data.readPlan(input, active.revisionsAtWork);
}

function endAsGone({ tellsOutcome }: ItemWorkflowInput): void {
  if (tellsOutcome) reportOutcome({ outcome: 'gone' });
}

/**
 * Returns true when the run should continue as new. A timer can be restarted at no cost. Running steps would be lost,
 * so they are given up only shortly before the server's own limits.
 */
function shouldContinueAsNew(active: ActiveSteps): boolean {
  const { continueAsNewSuggested, historyLength } = workflowInfo();
  return historyLength > MAX_HISTORY_EVENTS || (continueAsNewSuggested && active.allWaiting);
}

function waitForDeferredSteps({ steps, retryInMs }: ItemPlan, current: CurrentPlan, active: ActiveSteps): void {
  for (const step of STEPS) {
    const waitMs = retryInMs[step];
    if (waitMs === undefined || steps[step].state !== 'deferred' || active.has(step)) continue;
    active.wait(step, steps[step].revision, waitMs, () => current.queueDeferred(step));
  }
}

function beginRunnableSteps(input: ItemWorkflowInput, plan: ItemPlan, current: CurrentPlan, active: ActiveSteps): void {
  for (const step of runnableSteps(statesOf(plan.steps))) {
    if (active.has(step)) continue;
    const { revision } = plan.steps[step];
    active.begin(step, revision, (media) => runOrDefer({ ...input, step, revision }, plan, current, media));
  }
}
