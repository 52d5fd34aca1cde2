/** Moderates an item. The step summary does this in addition to the summary, whether or not the summary succeeds. */
import type { Evidence, Judgement } from '../../db/analysis/evidence.ts';
import { isLastDeferral } from '../../domain/analysis/deferral.ts';
import { joinParts, moderatedParts } from '../../domain/analysis/moderatedText.ts';
import { ratedPlaces, safetyOfFrames, withFrameSafety } from '../../domain/analysis/safety/frameSafety.ts';
import { keyOf, placesBeside } from '../../domain/analysis/safety/missingEvidence.ts';
import type { StepWork } from '../../domain/jobs/workflowMessages.ts';
import { pickEvenly } from '../../domain/pickEvenly.ts';
import { isSettingsFault } from '../../providers/errors.ts';
import type { ModerationInput } from '../../providers/types.ts';
import { faultOf } from '../faults.ts';
import { currentLogFields } from '../logFields.ts';
import type { WorkContext } from '../runActivity.ts';
import { callProvider } from './callProvider.ts';
import type { AiActivityDeps } from './deps.ts';

/** Maximum number of pictures for the moderator, spread over the item. */
const MODERATED_PICTURES = 8;

/**
 * Judges an item once per revision; a judgement from an earlier attempt is reused. When the moderator will never judge
 * the item, or stays unavailable through the whole deferral schedule, the item keeps its summary, and its moderation
 * has only what the vision step found in pictures.
 * @returns null when there is no moderator, or nothing to judge, and the vision step found nothing
 * @throws when the moderator is temporarily unavailable
 */
export async function moderate(
  deps: AiActivityDeps,
  work: StepWork,
  evidence: Evidence,
  context: WorkContext,
): Promise<Judgement | null> {
  const { moderation: moderator } = deps.providers;
  if (evidence.judgement) return evidence.judgement;
  const pictures = picturesToModerate(evidence);
  const text = joinParts(moderatedParts(evidence));
  if (!moderator || (text === '' && pictures.length === 0)) return judgementOfFrames(evidence);
  try {
    const { value, provenance } = await deps.blobs.withLocalFiles(
      pictures.map(({ blobKey }) => blobKey),
      (paths) => {
        const input = moderationInput(text, pictures, paths);
        // Moderation uses no volume: a text whose summary is refused returns its units, even if it is moderated.
        return callProvider(deps, work, context, moderator, input, { countsVolume: false, capability: 'moderation' });
      },
    );
    const seen = { ...evidence, shown: pictures, hasText: text !== '' };
    return { moderation: withFrameSafety(value, seen), provenance };
  } catch (error) {
    const fault = unansweredBy(error, evidence);
    if (context.signal.aborted || fault === null) throw error;
    deps.logger.warn({ ...currentLogFields(), fault, model: moderator.model }, 'stored without moderation');
    return judgementOfFrames(evidence) ?? UNJUDGED;
  }
}

const UNJUDGED: Judgement = { moderation: null, provenance: null };

/** Returns what the vision step found; null when it found nothing. The frames have their own provenance. */
function judgementOfFrames({ frames }: Evidence): Judgement | null {
  const moderation = safetyOfFrames(frames);
  return moderation && { moderation, provenance: null };
}

/**
 * Returns the code of a fault after which no attempt can succeed: the next one would repeat it, or there is none. Null
 * for any other fault.
 */
function unansweredBy(error: unknown, { deferrals }: Evidence): string | null {
  const {
    kind,
    error: { code },
  } = faultOf(error);
  const isLastTry = isLastDeferral(deferrals.summary) && kind !== 'interrupted';
  return kind === 'permanent' || isSettingsFault(code) || isLastTry ? code : null;
}

/**
 * Includes pictures that another provider refused to describe or summarise: a refusal is not a judgement, and these
 * pictures matter most. Pictures that the vision step has judged come last.
 */
function picturesToModerate({ pictures, frames }: Evidence): Evidence['pictures'] {
  const unrated = placesBeside(pictures, ratedPlaces(frames));
  const first = pickEvenly(unrated, MODERATED_PICTURES);
  const others = pickEvenly(placesBeside(pictures, unrated), MODERATED_PICTURES - first.length);
  const chosen = new Set([...first, ...others]);
  return pictures.filter((picture) => chosen.has(picture));
}

/** @param paths paths of the pictures, in the same order */
function moderationInput(text: string, pictures: Evidence['pictures'], paths: readonly string[]): ModerationInput {
  return {
    text,
    frames: pictures.map((picture, index) => ({ id: keyOf(picture), path: paths[index] ?? '' })),
  };
}
