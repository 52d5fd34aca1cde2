/**
 * Analyses a short text in one activity: its plan and all its results take two transactions instead of eight
 * (docs/decisions/quick-steps.md).
 */
import { Context } from '@temporalio/activity';
import { readEvidence, recordCosts, type CallCost, type Evidence } from '../../db/analysis/evidence.ts';
import { planItem } from '../../db/analysis/plan.ts';
import { completeSteps, type StepEnd } from '../../db/analysis/steps.ts';
import { ITEM_STEPS, type ItemStep, type Step, type StepRecords } from '../../domain/analysis/steps.ts';
import type { ItemPlan, ItemWorkflowInput, StepWork } from '../../domain/jobs/workflowMessages.ts';
import { databaseWork } from '../databaseWork.ts';
import { faultOf } from '../faults.ts';
import { currentLogFields } from '../logFields.ts';
import type { WorkContext } from '../runActivity.ts';
import type { AiActivityDeps } from './deps.ts';
import { endEmbedding } from './embedding.ts';
import { endSummary, type SummaryEnd } from './summary.ts';

export type AtOnceActivities = ReturnType<typeof createAtOnceActivity>;

export interface AtOnceOptions {
  /** See `planItem`. */
  quickSteps: readonly Step[];
  /** Determines the month whose analysis volume is used; by default the database's clock, which tests replace. */
  clock?: () => Date;
}

export function createAtOnceActivity(deps: AiActivityDeps, { quickSteps, clock }: AtOnceOptions) {
  const plan = (item: ItemWorkflowInput, beginsAtOnce: boolean): Promise<ItemPlan | null> =>
    planItem(deps.pool, item, {}, { quickSteps, beginsAtOnce, ...(clock && { now: clock() }) });

  return {
    /**
     * Returns the remaining work for an item without a running step, like `readPlan`. If only steps that take
     * milliseconds are left, it does them first, all or none. A step that fails is left to its own activity, which
     * retries it and stores its fault.
     */
    analyseOrPlan: (item: ItemWorkflowInput): Promise<ItemPlan | null> =>
      databaseWork(async () => {
        const begun = await plan(item, true);
        const running = ITEM_STEPS.filter((step) => begun?.steps[step].state === 'running');
        if (!begun || running.length === 0) return begun;
        const steps = await analyse(deps, item, begun.steps, running);
        return steps ? { ...begun, steps } : await plan(item, false);
      }),
  };
}

/** @returns the steps afterwards, or null when a step failed or was outdated and nothing was stored */
async function analyse(
  deps: AiActivityDeps,
  item: ItemWorkflowInput,
  planned: StepRecords,
  running: readonly ItemStep[],
): Promise<StepRecords | null> {
  const { cancellationSignal: signal } = Context.current();
  const costs: CallCost[] = [];
  const collecting = { ...deps, collectCost: (cost: CallCost) => void costs.push(cost) };
  try {
    const evidence = await readEvidence(deps.pool, item);
    if (!evidence) return null;
    const works = running.map((step) => ({ ...item, step, revision: planned[step].revision }));
    const ends = await endAll(collecting, works, evidence, { signal, progress: () => {}, resumeFrom: undefined });
    return await completeSteps(deps.pool, ends, (client) => recordCosts(client, item, costs));
  } catch (error) {
    if (signal.aborted || faultOf(error).kind === 'interrupted') throw error;
    deps.logger.debug({ ...currentLogFields(), err: error }, 'not analysed at once');
    return null;
  }
}

/** The end of a step, and what later steps read of its result. */
interface QuickEnd {
  end: StepEnd;
  made: Partial<SummaryEnd['made']>;
}

const END: Record<
  ItemStep,
  (deps: AiActivityDeps, work: StepWork, evidence: Evidence, context: WorkContext) => Promise<QuickEnd>
> = {
  summary: endSummary,
  embedding: async (...given) => ({ end: await endEmbedding(...given), made: {} }),
};

async function endAll(
  deps: AiActivityDeps,
  works: readonly (StepWork & { step: ItemStep })[],
  evidence: Evidence,
  context: WorkContext,
): Promise<StepEnd[]> {
  const ends: StepEnd[] = [];
  const known = { ...evidence };
  for (const work of works) {
    const { end, made } = await END[work.step](deps, work, known, context);
    Object.assign(known, made);
    ends.push(end);
  }
  return ends;
}
