/** Moderates an item. The step summary does this in addition to the summary, whether or not the summary succeeds. */
import type { Evidence } from '../../db/analysis/evidence.ts';
import type { Judgement } from '../../db/analysis/results/moderations.ts';
import { isLastDeferral } from '../../domain/analysis/deferral.ts';
import { joinParts, moderatedParts } from '../../domain/analysis/safety/moderatedText.ts';
import type { MediumChapter } from '../../domain/analysis/results.ts';
import { mergeJudgements } from '../../domain/analysis/safety/mergeJudgements.ts';
import { ratedPlaces, safetyOfFrames, withFrameSafety } from '../../domain/analysis/safety/frameSafety.ts';
import { keyOf, placesMissingFrom } from '../../domain/analysis/safety/missingEvidence.ts';
import { plainTexts } from '../../domain/items/plainText.ts';
import type { StepWork } from '../../domain/jobs/workflowMessages.ts';
import { pickEvenly } from '../../domain/pickEvenly.ts';
import { isSettingsFault } from '../../providers/errors.ts';
import type { ModerationInput } from '../../providers/types.ts';
import { faultOf } from '../analysisFaults.ts';
import { currentLogFields } from '../logFields.ts';
import type { WorkContext } from '../runActivity.ts';
import { callProvider } from './callProvider.ts';
import type { AiActivityDeps } from './deps.ts';

/** The parts of an item that are judged. */
export type Moderated = Evidence & {
  /** The chapters that have the author's titles, which are shown with the summary. */
  authored?: readonly MediumChapter[];
};

/** Maximum number of pictures for the moderator, spread over the item. */
const MODERATED_PICTURES = 8;
const OWN_TEXTS = ['title', 'description', 'body'] as const;

/**
 * Judges an item once per revision; a judgement from an earlier attempt is reused. When the moderator will never judge
 * the item, or stays unavailable through the whole deferral schedule, the item keeps its summary, and its moderation
 * has only what the vision step found in pictures. Texts in HTML are judged as they were sent and, in a second call, as
 * their readers see them; if only the second call has no answer, no level is `none`.
 * @returns null when there is no moderator, or nothing to judge, and the vision step found nothing
 * @throws when the moderator is temporarily unavailable
 */
export async function moderate(
  deps: AiActivityDeps,
  work: StepWork,
  evidence: Moderated,
  context: WorkContext,
): Promise<Judgement | null> {
  const { moderation: moderator } = deps.providers;
  if (evidence.judgement) return evidence.judgement;
  const pictures = picturesToModerate(evidence);
  const text = textOf(evidence);
  if (!moderator || (text === '' && pictures.length === 0)) return judgementOfFrames(evidence);
  // Moderation uses no volume: a text whose summary is refused returns its units, even if it is moderated.
  const kind = { countsVolume: false, capability: 'moderation' } as const;
  const ask = (input: ModerationInput) => callProvider(deps, work, context, moderator, input, kind);
  const orNull = (error: unknown, consequence: string): null => {
    const fault = finalFaultCode(error, evidence);
    if (context.signal.aborted || fault === null) throw error;
    deps.logger.warn({ ...currentLogFields(), fault, model: moderator.model }, consequence);
    return null;
  };
  const blobs = pictures.map(({ blobKey }) => blobKey);
  const sent = await deps.blobs
    .withLocalFiles(blobs, (paths) => ask(moderationInput(text, pictures, paths)))
    .catch((error: unknown) => orNull(error, 'stored without moderation'));
  if (!sent) return judgementOfFrames(evidence) ?? UNJUDGED;
  const plain = changedPlainText(evidence);
  const read =
    plain !== '' && ask({ text: plain, frames: [] }).catch((error: unknown) => orNull(error, 'moderated only as sent'));
  const value = read ? mergeJudgements(sent.value, (await read)?.value ?? null) : sent.value;
  const seen = { ...evidence, shown: pictures, hasText: text !== '' };
  return { moderation: withFrameSafety(value, seen), provenance: sent.provenance };
}

/**
 * Returns the item's own texts as their readers see them, as far as they differ from what was sent; empty if nothing
 * differs, or nothing can be read.
 */
function changedPlainText(evidence: Evidence): string {
  const plain = plainTexts(evidence);
  const changed = OWN_TEXTS.filter((part) => plain[part] !== evidence[part]).map((part) => plain[part] ?? '');
  const text = changed.filter((one) => one.trim() !== '').join('\n\n');
  return /[\p{L}\p{N}]/u.test(text) ? text : '';
}

/** Titles of chapters come last, so that the places of all other passages are those of the item's parts. */
function textOf({ authored = [], ...evidence }: Moderated): string {
  return [joinParts(moderatedParts(evidence)), ...authored.map(({ title }) => title)]
    .filter((text) => text !== '')
    .join('\n\n');
}

const UNJUDGED: Judgement = { moderation: null, provenance: null };

/** Returns what the vision step found; null when it found nothing. The frames have their own provenance. */
function judgementOfFrames({ frames }: Evidence): Judgement | null {
  const moderation = safetyOfFrames(frames);
  return moderation && { moderation, provenance: null };
}

/**
 * Returns the code of a fault that ends the moderation: the next attempt would meet it again, or there is no next
 * attempt. Null for any other fault.
 */
function finalFaultCode(error: unknown, { deferrals }: Evidence): string | null {
  const {
    kind,
    error: { code },
  } = faultOf(error);
  const isLastTry = isLastDeferral(deferrals.summary) && kind !== 'interrupted';
  return kind === 'permanent' || isSettingsFault(code) || isLastTry ? code : null;
}

/**
 * Includes pictures that another provider refused to describe or summarise: a refusal is not a judgement, and these
 * pictures matter most. Pictures that the vision step has judged are chosen only if there is room for them.
 */
function picturesToModerate({ pictures, frames }: Evidence): Evidence['pictures'] {
  const unrated = placesMissingFrom(pictures, ratedPlaces(frames));
  const first = pickEvenly(unrated, MODERATED_PICTURES);
  const others = pickEvenly(placesMissingFrom(pictures, unrated), MODERATED_PICTURES - first.length);
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
