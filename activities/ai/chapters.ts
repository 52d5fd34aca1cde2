/** Creates the chapters of an item's recordings, as a part of the step summary, after the summary. */
import type { Evidence } from '../../db/analysis/evidence.ts';
import { acceptChapters, wantsChapters } from '../../domain/analysis/chapters.ts';
import type { MediumChapter } from '../../domain/analysis/results.ts';
import type { StepWork } from '../../domain/jobs/workflowMessages.ts';
import { isUnusableAnswer } from '../../providers/errors.ts';
import type { Drafts, SummaryCapability } from '../../providers/types.ts';
import { faultOf } from '../faults.ts';
import { currentLogFields } from '../logFields.ts';
import type { WorkContext } from '../runActivity.ts';
import { callProvider } from './callProvider.ts';
import type { AiActivityDeps } from './deps.ts';
import { languageOfItem } from './itemLanguage.ts';

interface Material {
  summariser: SummaryCapability;
  evidence: Evidence;
  /** Responses that an earlier attempt paid for. */
  drafts: Drafts;
}

/** Returns true for faults that another attempt is unlikely to avoid. */
function isLikelyAgain(code: string): boolean {
  return isUnusableAnswer(code) || code === 'provider_timeout';
}

/**
 * Divides each recording that is long enough. When a provider cannot do it, or is unavailable for longer than the quick
 * retries, the recording stays undivided, so that it does not hold up the summary.
 * @throws when the provider is unavailable for a moment
 */
export async function divide(
  deps: AiActivityDeps,
  work: StepWork,
  { summariser: { chapters: divider }, evidence, drafts }: Material,
  context: WorkContext,
): Promise<MediumChapter[]> {
  const divided: MediumChapter[] = [];
  if (!divider) return divided;
  const language = evidence.language ?? languageOfItem(evidence);
  for (const { mediumId, segments, durationSec } of evidence.transcripts) {
    if (durationSec === null || !wantsChapters(segments, durationSec)) continue;
    const input = { language, segments, durationSec };
    try {
      const { value } = await callProvider(deps, work, context, divider, input, { capability: 'summary', drafts });
      divided.push(...acceptChapters(value, durationSec).map((chapter) => ({ mediumId, ...chapter })));
    } catch (error) {
      const { kind, error: fault } = faultOf(error);
      const isWorthWaiting = kind === 'temporary' && !isLikelyAgain(fault.code) && evidence.deferrals.summary === 0;
      if (context.signal.aborted || kind === 'interrupted' || isWorthWaiting) throw error;
      deps.logger.warn({ ...currentLogFields(), fault: fault.code, model: divider.model }, 'stored without chapters');
    }
  }
  return divided;
}
