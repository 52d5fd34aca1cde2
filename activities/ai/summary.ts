/** Activity of the step summary: what the item is about, and its moderation. */
import { deleteDrafts } from '../../db/analysis/drafts.ts';
import {
  readEvidence,
  replaceModeration,
  replaceSummary,
  storeModeration,
  type Evidence,
} from '../../db/analysis/evidence.ts';
import { completeStep, doneBy, startStep } from '../../db/analysis/steps.ts';
import { faultError } from '../../domain/errorCodes.ts';
import type { StepResult, StepWork } from '../../domain/workflowMessages.ts';
import type { Providers, SummaryInput } from '../../providers/types.ts';
import { faultOf } from '../faults.ts';
import { runWork, type WorkContext } from '../runActivity.ts';
import { callProvider, draftsOf } from './calls.ts';
import type { AiActivityDeps } from './deps.ts';
import { moderate } from './moderation.ts';

type Summariser = NonNullable<Providers['summary']>;

export function createSummaryActivity(deps: AiActivityDeps) {
  return {
    /** @returns the item's steps, or null when the result was outdated */
    summariseItem: (work: StepWork): Promise<StepResult> =>
      runWork(
        deps.logger,
        (context) => summariseItem(deps, work, context),
        (fault) =>
          completeStep(deps.pool, work, { state: 'failed', error: fault.error }, (client) =>
            deleteDrafts(client, work),
          ),
      ),
  };
}

async function summariseItem(deps: AiActivityDeps, work: StepWork, context: WorkContext): Promise<StepResult> {
  if (!(await startStep(deps.pool, work))) return null;
  const evidence = await readEvidence(deps.pool, work);
  if (!evidence) return null;
  const { summary: summariser } = deps.providers;
  if (!summariser) return moderateOnly(deps, work, evidence, context, 'no_summary_provider');
  if (!hasEvidence(evidence)) return moderateOnly(deps, work, evidence, context, 'nothing_to_summarise');
  return summarise(deps, work, summariser, evidence, context);
}

/** @param code why there is no summary */
async function moderateOnly(
  deps: AiActivityDeps,
  work: StepWork,
  evidence: Evidence,
  context: WorkContext,
  code: 'no_summary_provider' | 'nothing_to_summarise',
): Promise<StepResult> {
  const judgement = await moderate(deps, work, evidence, context);
  return completeStep(deps.pool, work, { state: 'skipped', error: faultError(code) }, (client) =>
    replaceModeration(client, work, judgement),
  );
}

/** A moderator that is away for now is asked again in the next attempt, which takes the summary from the drafts. */
async function summarise(
  deps: AiActivityDeps,
  work: StepWork,
  summariser: Summariser,
  evidence: Evidence,
  context: WorkContext,
): Promise<StepResult> {
  const drafts = draftsOf(deps.pool, work);
  const summary = await callProvider(deps, work, context, summariser, summaryInput(evidence), { drafts }).catch(
    async (error: unknown) => {
      await moderateWithoutSummary(deps, work, evidence, context, error);
      throw error;
    },
  );
  const judgement = await moderate(deps, work, evidence, context);
  const moderation = judgement?.moderation ?? null;
  return completeStep(deps.pool, work, doneBy(deps.models.summary), async (client) => {
    await replaceSummary(client, work, { summary: summary.value, moderation, provenance: summary.provenance });
    await replaceModeration(client, work, judgement);
    if (drafts.used()) await deleteDrafts(client, work);
  });
}

/**
 * Judges an item whose summary just failed, for now or for good. The items that a summariser refuses
 * are those whose moderation matters most.
 * @throws the moderator's fault when the summary would not be tried again: then the attempt is repeated for the moderation
 */
async function moderateWithoutSummary(
  deps: AiActivityDeps,
  work: StepWork,
  evidence: Evidence,
  context: WorkContext,
  summaryError: unknown,
): Promise<void> {
  const { kind } = faultOf(summaryError);
  if (context.signal.aborted || kind === 'interrupted') return;
  try {
    await storeModeration(deps.pool, work, await moderate(deps, work, evidence, context));
  } catch (error) {
    if (kind === 'permanent') throw error;
  }
}

function hasEvidence(evidence: Evidence): boolean {
  const { title, description, body, transcripts, frames } = evidence;
  return (
    [title, description, body, ...transcripts.map((transcript) => transcript.text)].some((text) => text?.trim()) ||
    frames.length > 0
  );
}

function summaryInput({ type, title, description, body, transcripts, frames }: Evidence): SummaryInput {
  return { type, title, description, body, transcripts: transcripts.map((transcript) => transcript.text), frames };
}
