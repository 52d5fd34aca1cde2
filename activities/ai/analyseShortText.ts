/**
 * Analyses a short text in one activity. The decisions of its plan and all its results are stored in one transaction
 * instead of eight (docs/decisions/quick-steps.md).
 */
import { Context } from '@temporalio/activity';
import type { Evidence } from '../../db/analysis/evidence.ts';
import type { CallCost } from '../../db/analysis/usage.ts';
import { planItem } from '../../db/analysis/plan.ts';
import { completeShortText, readShortText } from '../../db/analysis/shortText.ts';
import type { StepEnd } from '../../db/analysis/steps.ts';
import type { ItemStep, Step, StepRecords } from '../../domain/analysis/steps.ts';
import type { ItemPlan, ItemWorkflowInput, StepWork } from '../../domain/jobs/workflowMessages.ts';
import { databaseWork } from '../databaseWork.ts';
import { faultOf } from '../analysisFaults.ts';
import { currentLogFields } from '../logFields.ts';
import type { WorkContext } from '../runActivity.ts';
import type { AiActivityDeps } from './deps.ts';
import { computeEmbedding } from './embedding.ts';
import { computeSummary, type SummaryEnd } from './summary.ts';

export type ShortTextActivities = ReturnType<typeof createShortTextActivity>;

export interface ShortTextOptions {
  /** See `planItem`. */
  quickSteps: readonly Step[];
  /** Determines the month whose analysis volume is used; by default the database's clock, which tests replace. */
  clock?: () => Date;
}

export function createShortTextActivity(deps: AiActivityDeps, { quickSteps, clock }: ShortTextOptions) {
  return {
    /**
     * Returns the remaining work for an item without a running step, like `readPlan`. If only steps that take
     * milliseconds are left, it does them first, all or none. A step that fails is left to its own activity, which
     * retries it and stores its fault.
     */
    analyseOrPlan: (item: ItemWorkflowInput): Promise<ItemPlan | null> =>
      databaseWork(async () => {
        const now = { ...(clock && { now: clock() }) };
        const steps = await analyse(deps, item, { quickSteps, ...now });
        if (steps) return { steps, todo: NO_MEDIA, retryInMs: {}, quick: [...quickSteps] };
        return await planItem(deps.pool, item, {}, { quickSteps, ...now });
      }),
  };
}

/** The steps on media do not apply to a text. */
const NO_MEDIA: ItemPlan['todo'] = { prepare: [], speech: [], vision: [] };

/** @returns the steps afterwards, or null when there is no such text, or nothing was stored */
async function analyse(
  deps: AiActivityDeps,
  item: ItemWorkflowInput,
  options: { quickSteps: readonly Step[]; now?: Date },
): Promise<StepRecords | null> {
  if (options.quickSteps.length === 0) return null;
  const text = await readShortText(deps.pool, item, options);
  if (!text) return null;
  const { cancellationSignal: signal } = Context.current();
  const costs: CallCost[] = [];
  const collecting = { ...deps, collectCost: (cost: CallCost) => void costs.push(cost) };
  try {
    const works = text.left.map((step) => ({ ...item, ...step }));
    const ends = await endAll(collecting, works, text.evidence, { signal, progress: () => {}, resumeFrom: undefined });
    return await completeShortText(deps.pool, item, ends, { ...options, costs });
  } catch (error) {
    if (signal.aborted || faultOf(error).kind === 'interrupted') throw error;
    deps.logger.debug({ ...currentLogFields(), err: error }, 'not analysed at once');
    return null;
  }
}

/** The end of a step, and the parts of its result that later steps read. */
interface QuickEnd {
  end: StepEnd;
  made: Partial<SummaryEnd['made']>;
}

const END: Record<
  ItemStep,
  (deps: AiActivityDeps, work: StepWork, evidence: Evidence, context: WorkContext) => Promise<QuickEnd>
> = {
  summary: computeSummary,
  embedding: async (...given) => ({ end: await computeEmbedding(...given), made: {} }),
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
