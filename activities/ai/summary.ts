/** The activity of the step `summary`: summarises the item and moderates it. */
import { deleteDrafts } from '../../db/analysis/drafts.ts';
import { readEvidence, type Evidence } from '../../db/analysis/evidence.ts';
import { replaceModeration, storeModeration } from '../../db/analysis/results/moderations.ts';
import { replaceSummary } from '../../db/analysis/results/summaries.ts';
import { completeStep, doneBy, startStep, type StepEnd } from '../../db/analysis/steps.ts';
import { together } from '../../db/pool.ts';
import { faultError } from '../../domain/items/errorCodes.ts';
import { plainTexts } from '../../domain/items/plainText.ts';
import { ageRatingOfParts, isMaterialIncomplete } from '../../domain/analysis/safety/missingEvidence.ts';
import type { StepResult, StepWork } from '../../domain/jobs/workflowMessages.ts';
import type { Providers, Summary, SummaryInput } from '../../providers/types.ts';
import { faultOf } from '../analysisFaults.ts';
import { runWork, type WorkContext } from '../runActivity.ts';
import { callProvider, draftsOf } from './callProvider.ts';
import { divideRecordings, readAuthoredChapters } from './chapters.ts';
import type { AiActivityDeps } from './deps.ts';
import { languageOfItem } from './itemLanguage.ts';
import { moderate, type Moderated } from './moderation.ts';
import { endedUnanswered, isLastAttempt } from './schedule.ts';

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
  const { end } = await computeSummary(deps, work, evidence, context);
  return completeStep(deps.pool, end.work, end.outcome, end.write);
}

/** The end of the step, and the parts of its result that the step embedding reads. */
export interface SummaryEnd {
  end: StepEnd;
  made: Pick<Evidence, 'summary' | 'chapters'>;
}

/** Does the work of the step without storing its result. */
export async function computeSummary(
  deps: AiActivityDeps,
  work: StepWork,
  evidence: Evidence,
  context: WorkContext,
): Promise<SummaryEnd> {
  const { summary: summariser } = deps.providers;
  if (!summariser) return moderateOnly(deps, work, evidence, context, 'no_summary_provider');
  if (!hasEvidence(evidence)) return moderateOnly(deps, work, evidence, context, 'nothing_to_summarise');
  return summarise(deps, work, summariser, evidence, context);
}

/** @param code reason why there is no summary */
async function moderateOnly(
  deps: AiActivityDeps,
  work: StepWork,
  evidence: Evidence,
  context: WorkContext,
  code: 'no_summary_provider' | 'nothing_to_summarise',
): Promise<SummaryEnd> {
  const judgement = await moderate(deps, work, evidence, context);
  return {
    end: {
      work,
      outcome: { state: 'skipped', error: faultError(code) },
      write: (client) => replaceModeration(client, work, judgement),
    },
    made: { summary: null, chapters: [] },
  };
}

/**
 * Summarises the item, divides its recordings into chapters, and moderates both. When the moderator is temporarily
 * unavailable, the next attempt calls it again and takes the summary and the chapters from the drafts.
 */
async function summarise(
  deps: AiActivityDeps,
  work: StepWork,
  summariser: Summariser,
  evidence: Evidence,
  context: WorkContext,
): Promise<SummaryEnd> {
  const authored = await readAuthoredChapters(deps, evidence);
  const toModerate = { ...evidence, authored };
  const drafts = draftsOf(deps.pool, work);
  const deferral = { deferrals: evidence.deferrals.summary, deferredFor: evidence.summaryDeferredFor };
  const patience = { wasUnanswered: endedUnanswered(deferral), isLastAttempt: isLastAttempt() };
  const summary = await callProvider(deps, work, context, summariser, summaryInput(evidence), {
    capability: 'summary',
    drafts,
    patience,
  }).catch(async (error: unknown) => {
    await moderateWithoutSummary(deps, work, toModerate, context, error);
    throw error;
  });
  const chapters = await divideRecordings(deps, work, { summariser, evidence, authored, drafts }, context);
  const judgement = await moderate(deps, work, toModerate, context);
  const moderation = judgement?.moderation ?? null;
  const { provenance } = summary;
  const value = withCautiousAgeRating(summary.value, evidence);
  return {
    end: {
      work,
      outcome: doneBy(deps.models.summary),
      async write(client) {
        await together([
          replaceSummary(client, work, { summary: value, chapters, moderation, provenance }),
          replaceModeration(client, work, judgement),
        ]);
        if (drafts.used()) await deleteDrafts(client, work);
      },
    },
    made: { summary: value.summary, chapters },
  };
}

/**
 * Moderates an item whose summary has just failed, temporarily or for good. The items that a summariser refuses are
 * those whose moderation matters most. The judgement stays until the next attempt replaces it. That attempt may publish
 * the chapter titles that the author gave, so the judgement covers these titles too.
 * @throws the moderator's fault when the summary would not be retried, so that the attempt is repeated for the
 * moderation
 */
async function moderateWithoutSummary(
  deps: AiActivityDeps,
  work: StepWork,
  toModerate: Moderated,
  context: WorkContext,
  summaryError: unknown,
): Promise<void> {
  const { kind } = faultOf(summaryError);
  if (context.signal.aborted || kind === 'interrupted') return;
  try {
    await storeModeration(deps.pool, work, await moderate(deps, work, toModerate, context));
  } catch (error) {
    if (kind === 'permanent') throw error;
  }
}

/** Returns whether there are words or numbers; emoji alone are nothing to summarise. */
function hasEvidence(evidence: Evidence): boolean {
  const { title, description, body } = plainTexts(evidence);
  const spoken = evidence.transcripts.map((transcript) => transcript.text);
  const seen = evidence.frames.flatMap((frame) => [frame.description, frame.ocrText, ...(frame.tags ?? [])]);
  return [title, description, body, ...spoken, ...seen].some((text) => text !== null && /[\p{L}\p{N}]/u.test(text));
}

function summaryInput(evidence: Evidence): SummaryInput {
  const { language, topics, type, frames } = evidence;
  const own = plainTexts(evidence);
  const transcripts = evidence.transcripts.map((transcript) => transcript.text);
  const isIncomplete = isMaterialIncomplete(evidence);
  const materialLanguage = languageOfItem(evidence);
  return {
    language,
    materialLanguage,
    topicsAllowed: topics,
    type,
    ...own,
    transcripts,
    frames,
    isIncomplete,
  };
}

/** Returns the summary without a rating for children, whatever the model answered, if some of the item is unknown. */
function withCautiousAgeRating(summary: Summary, evidence: Evidence): Summary {
  return isMaterialIncomplete(evidence) ? { ...summary, ageRating: ageRatingOfParts(summary.ageRating) } : summary;
}
