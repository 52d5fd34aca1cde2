/** Moderates an item. The step summary does this in addition to the summary, whether or not the summary succeeds. */
import type { Evidence, Judgement } from '../../db/analysis/evidence.ts';
import { nextDeferralMs } from '../../domain/analysis/deferral.ts';
import { withFrameSafety } from '../../domain/analysis/frameSafety.ts';
import { joinParts, moderatedParts } from '../../domain/analysis/moderatedText.ts';
import type { StepWork } from '../../domain/jobs/workflowMessages.ts';
import type { ModerationInput } from '../../providers/types.ts';
import { faultOf, isSettingsFault } from '../faults.ts';
import { currentLogFields } from '../logFields.ts';
import type { WorkContext } from '../runActivity.ts';
import { callProvider } from './callProvider.ts';
import type { AiActivityDeps } from './deps.ts';

/** Maximum number of pictures for the moderator, spread over the item. */
const MODERATED_PICTURES = 8;

/**
 * Judges an item once per revision; a judgement from an earlier attempt is reused. When the moderator will never judge
 * the item, or stays unavailable through the whole deferral schedule, the item stays unjudged but keeps its summary.
 * @returns null when there is no moderator, or nothing to judge
 * @throws when the moderator is temporarily unavailable
 */
export async function moderate(
  deps: AiActivityDeps,
  work: StepWork,
  evidence: Evidence,
  context: WorkContext,
): Promise<Judgement | null> {
  const { moderation: moderator } = deps.providers;
  if (evidence.judgement || !moderator) return evidence.judgement;
  const pictures = picturesToModerate(evidence);
  const text = joinParts(moderatedParts(evidence));
  if (text === '' && pictures.length === 0) return null;
  try {
    const { value, provenance } = await deps.blobs.withLocalFiles(
      pictures.map(({ blobKey }) => blobKey),
      (paths) => {
        const input = moderationInput(text, pictures, paths);
        // The volume counts summary and embedding: a refused text returns its units, although it is moderated.
        return callProvider(deps, work, context, moderator, input, { countsVolume: false, capability: 'moderation' });
      },
    );
    return { moderation: withFrameSafety(value, { ...evidence, hasText: text !== '' }), provenance };
  } catch (error) {
    const fault = unansweredBy(error, evidence);
    if (context.signal.aborted || fault === null) throw error;
    deps.logger.warn({ ...currentLogFields(), fault, model: moderator.model }, 'stored without moderation');
    return { moderation: null, provenance: null };
  }
}

/**
 * Returns the code of a fault that the next attempt would repeat, or that has no next attempt; null for any other
 * fault.
 */
function unansweredBy(error: unknown, { deferrals }: Evidence): string | null {
  const {
    kind,
    error: { code },
  } = faultOf(error);
  const isLastTry = nextDeferralMs(deferrals.summary) === null && kind !== 'interrupted';
  return kind === 'permanent' || isSettingsFault(code) || isLastTry ? code : null;
}

/**
 * Includes pictures that another provider refused to describe or summarise: a refusal is not a judgement, and these
 * pictures matter most.
 */
function picturesToModerate({ pictures }: Evidence): Evidence['pictures'] {
  const every = Math.max(1, Math.ceil(pictures.length / MODERATED_PICTURES));
  return pictures.filter((_, index) => index % every === 0);
}

/** @param paths paths of the pictures, in the same order */
function moderationInput(text: string, pictures: Evidence['pictures'], paths: readonly string[]): ModerationInput {
  return {
    text,
    frames: pictures.map(({ mediumId, ts }, index) => ({ id: `${mediumId}:${ts}`, path: paths[index] ?? '' })),
  };
}
