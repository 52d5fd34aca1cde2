/** The moderation of an item, which the step summary makes beside the summary, and whatever becomes of that. */
import type { Evidence, Judgement } from '../../db/analysis/evidence.ts';
import { nextDeferralMs } from '../../domain/deferral.ts';
import type { StepWork } from '../../domain/workflowMessages.ts';
import type { ModerationInput } from '../../providers/types.ts';
import { faultOf, isSettingsFault } from '../faults.ts';
import { currentLogFields } from '../logFields.ts';
import type { WorkContext } from '../runActivity.ts';
import { callProvider } from './calls.ts';
import type { AiActivityDeps } from './deps.ts';

/** How many pictures a moderator looks at, spread over the item. */
const MODERATED_PICTURES = 8;

/**
 * Judges an item once for each revision: what an earlier attempt found is taken as it is. A moderator
 * that will never judge the item, or stays away through the whole deferral schedule, leaves it unjudged
 * and does not cost it its summary.
 * @returns null when there is no moderator, or nothing to judge
 * @throws when the moderator is away for now
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
  const text = textOf(evidence);
  if (text === '' && pictures.length === 0) return null;
  try {
    const { value, provenance } = await deps.blobs.withLocalFiles(
      pictures.map(({ blobKey }) => blobKey),
      (paths) => {
        const input = moderationInput(text, pictures, paths);
        // The volume counts summary and embedding: a refused text gives its units back, though it is judged.
        return callProvider(deps, work, context, moderator, input, { countsVolume: false });
      },
    );
    return { moderation: value, provenance };
  } catch (error) {
    const fault = unansweredBy(error, evidence);
    if (context.signal.aborted || fault === null) throw error;
    deps.logger.warn({ ...currentLogFields(), fault, model: moderator.model }, 'stored without moderation');
    return { moderation: null, provenance: null };
  }
}

/** The code of a fault that another attempt would meet again, or for which there is no other attempt; null otherwise. */
function unansweredBy(error: unknown, { deferrals }: Evidence): string | null {
  const {
    kind,
    error: { code },
  } = faultOf(error);
  const isLastTry = nextDeferralMs(deferrals) === null && kind !== 'interrupted';
  return kind === 'permanent' || isSettingsFault(code) || isLastTry ? code : null;
}

/** Whoever refused to describe a picture, or to summarise the item, has not judged it: those matter most. */
function picturesToModerate({ pictures }: Evidence): Evidence['pictures'] {
  const every = Math.max(1, Math.ceil(pictures.length / MODERATED_PICTURES));
  return pictures.filter((_, index) => index % every === 0);
}

/** All that the item says or shows in words. */
function textOf({ title, description, body, transcripts, frames }: Evidence): string {
  const texts = [
    title,
    description,
    body,
    ...transcripts.map((transcript) => transcript.text),
    ...frames.map((frame) => frame.ocrText),
  ];
  return texts.filter((text) => text?.trim()).join('\n\n');
}

/** @param paths of the pictures, in their order */
function moderationInput(text: string, pictures: Evidence['pictures'], paths: readonly string[]): ModerationInput {
  return {
    text,
    frames: pictures.map(({ mediumId, ts }, index) => ({ id: `${mediumId}:${ts}`, path: paths[index] ?? '' })),
  };
}
