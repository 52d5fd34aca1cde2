/** Activity of the step summary: what the item is about, and its moderation. */
import { deleteDrafts } from '../../db/analysis/drafts.ts';
import { readEvidence, replaceSummary, type Evidence } from '../../db/analysis/evidence.ts';
import { completeStep, doneBy, startStep } from '../../db/analysis/steps.ts';
import { faultError } from '../../domain/errorCodes.ts';
import type { StepResult, StepWork } from '../../domain/workflowMessages.ts';
import type { Moderation, ModerationInput, SummaryInput } from '../../providers/types.ts';
import { faultOf } from '../faults.ts';
import { currentLogFields } from '../logFields.ts';
import { runWork, type WorkContext } from '../runActivity.ts';
import { callProvider, draftsOf } from './calls.ts';
import type { AiActivityDeps } from './deps.ts';

/** The frames that a moderator looks at, spread over the item. */
const MODERATED_FRAMES = 8;

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
  if (!deps.providers.summary) return skip(deps, work, 'no_summary_provider');
  if (!hasEvidence(evidence)) return skip(deps, work, 'nothing_to_summarise');
  return summarise(deps, work, evidence, context);
}

function skip(
  deps: AiActivityDeps,
  work: StepWork,
  code: 'no_summary_provider' | 'nothing_to_summarise',
): Promise<StepResult> {
  return completeStep(deps.pool, work, { state: 'skipped', error: faultError(code) }, (client) =>
    replaceSummary(client, work, null),
  );
}

async function summarise(
  deps: AiActivityDeps,
  work: StepWork,
  evidence: Evidence,
  context: WorkContext,
): Promise<StepResult> {
  const { summary: summariser } = deps.providers;
  if (!summariser) return null;
  const drafts = draftsOf(deps.pool, work);
  const summary = await callProvider(deps, work, context, summariser, summaryInput(evidence), drafts);
  const moderation = await moderate(deps, work, evidence, context);
  return completeStep(deps.pool, work, doneBy(deps.models.summary), async (client) => {
    await replaceSummary(client, work, { summary: summary.value, moderation, provenance: summary.provenance });
    if (drafts.used()) await deleteDrafts(client, work);
  });
}

/**
 * Null is unknown. A moderator that will never judge this item does not cost it its summary; one that
 * is away for now is asked again in the next attempt, which takes the summary from the drafts.
 */
async function moderate(
  deps: AiActivityDeps,
  work: StepWork,
  evidence: Evidence,
  context: WorkContext,
): Promise<Moderation | null> {
  const { moderation: moderator } = deps.providers;
  if (!moderator) return null;
  try {
    const frames = framesToModerate(evidence);
    const call = await deps.blobs.withLocalFiles(
      frames.map((frame) => frame.blobKey),
      (paths) => callProvider(deps, work, context, moderator, moderationInput(evidence, frames, paths)),
    );
    return call.value;
  } catch (error) {
    const {
      kind,
      error: { code },
    } = faultOf(error);
    if (kind !== 'permanent') throw error;
    deps.logger.warn({ ...currentLogFields(), fault: code, model: moderator.model }, 'stored without moderation');
    return null;
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

function framesToModerate({ frames }: Evidence): Evidence['frames'] {
  const every = Math.max(1, Math.ceil(frames.length / MODERATED_FRAMES));
  return frames.filter((_, index) => index % every === 0);
}

/** @param paths of the pictures of `shown`, in their order */
function moderationInput(
  { title, description, body, transcripts, frames }: Evidence,
  shown: Evidence['frames'],
  paths: readonly string[],
): ModerationInput {
  const texts = [
    title,
    description,
    body,
    ...transcripts.map((transcript) => transcript.text),
    ...frames.map((frame) => frame.ocrText),
  ];
  return {
    text: texts.filter((text) => text?.trim()).join('\n\n'),
    frames: shown.map((frame, index) => ({ id: `${frame.mediumId}:${frame.ts}`, path: paths[index] ?? '' })),
  };
}
