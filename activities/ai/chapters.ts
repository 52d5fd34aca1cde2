/**
 * Creates the chapters of an item's recordings, as a part of the step summary, after the summary. Chapters that the
 * author put into the container are used, and the first of them begins at the start; recordings without any are divided
 * by their words.
 */
import { text } from 'node:stream/consumers';
import Type, { type Static } from 'typebox';
import { Check } from 'typebox/value';
import type { Evidence } from '../../db/analysis/evidence.ts';
import { acceptAuthoredChapters, acceptChapters, wantsChapters } from '../../domain/analysis/chapters.ts';
import type { MediumChapter } from '../../domain/analysis/results.ts';
import { authoredChaptersKey } from '../../domain/jobs/ids.ts';
import type { StepWork } from '../../domain/jobs/workflowMessages.ts';
import { isUnusableAnswer } from '../../providers/errors.ts';
import type { Drafts, SummaryCapability } from '../../providers/types.ts';
import { faultOf } from '../analysisFaults.ts';
import { currentLogFields } from '../logFields.ts';
import type { WorkContext } from '../runActivity.ts';
import { callProvider } from './callProvider.ts';
import type { AiActivityDeps } from './deps.ts';
import { languageOfItem } from './itemLanguage.ts';

interface Material {
  summariser: SummaryCapability;
  evidence: Evidence;
  /** From `readAuthoredChapters`. */
  authored: readonly MediumChapter[];
  /** Responses that an earlier attempt paid for. */
  drafts: Drafts;
}

/** Returns true for faults that another attempt is unlikely to avoid. */
function isLikelyToRecur(code: string): boolean {
  return isUnusableAnswer(code) || code === 'provider_timeout';
}

/**
 * Returns the chapters of each recording: the author's, or else those of the provider if the recording is long enough.
 * When a provider cannot do it, or is unavailable for longer than the quick retries, the recording stays undivided, so
 * that it does not hold up the summary.
 * @throws while the quick retries of an unavailable provider last
 */
export async function divideRecordings(
  deps: AiActivityDeps,
  work: StepWork,
  material: Material,
  context: WorkContext,
): Promise<MediumChapter[]> {
  const divided: MediumChapter[] = [];
  for (const recording of material.evidence.recordings) {
    const { mediumId } = recording;
    const authored = material.authored.filter((chapter) => chapter.mediumId === mediumId);
    if (authored.length > 0) divided.push(...authored);
    else divided.push(...(await divideByWords(deps, work, recording, material, context)));
  }
  return divided;
}

type Recording = Evidence['recordings'][number];

/**
 * Maximum size of a chapters file that is read. The 200 chapters that count are far smaller, even with the longest
 * titles that containers have.
 */
const MAX_CHAPTERS_BYTES = 4 * 1024 * 1024;

const Authored = Type.Array(Type.Object({ start: Type.Number({ minimum: 0 }), title: Type.String() }));

/**
 * Reads the chapters that the containers of the recordings have, in the order of the media. The files were written by a
 * decoder that processes untrusted media, so those that are too large are not read.
 * @throws when the blob store is temporarily unavailable
 */
export async function readAuthoredChapters(
  { blobs }: Pick<AiActivityDeps, 'blobs'>,
  { recordings }: Pick<Evidence, 'recordings'>,
): Promise<MediumChapter[]> {
  const authored: MediumChapter[] = [];
  for (const { mediumId, folder, durationSec } of recordings) {
    const blob = folder === null ? null : await blobs.open(authoredChaptersKey(folder));
    if (blob === null) continue;
    if (blob.size > MAX_CHAPTERS_BYTES) {
      blob.stream.destroy();
      continue;
    }
    const chapters = acceptAuthoredChapters(parseAuthored(await text(blob.stream)), durationSec ?? 0);
    authored.push(...chapters.map((chapter) => ({ mediumId, ...chapter })));
  }
  return authored;
}

function parseAuthored(json: string): Static<typeof Authored> {
  try {
    const value: unknown = JSON.parse(json);
    return Check(Authored, value) ? value : [];
  } catch {
    return [];
  }
}

async function divideByWords(
  deps: AiActivityDeps,
  work: StepWork,
  { mediumId, durationSec }: Recording,
  { summariser: { chapters: divider }, evidence, drafts }: Material,
  context: WorkContext,
): Promise<MediumChapter[]> {
  const segments = evidence.transcripts.find((transcript) => transcript.mediumId === mediumId)?.segments ?? [];
  if (!divider || durationSec === null || !wantsChapters(segments, durationSec)) return [];
  const language = evidence.language ?? languageOfItem(evidence);
  try {
    const input = { language, segments, durationSec };
    const { value } = await callProvider(deps, work, context, divider, input, { capability: 'summary', drafts });
    return acceptChapters(value, durationSec).map((chapter) => ({ mediumId, ...chapter }));
  } catch (error) {
    const { kind, error: fault } = faultOf(error);
    const isWorthWaiting = kind === 'temporary' && !isLikelyToRecur(fault.code) && evidence.deferrals.summary === 0;
    if (context.signal.aborted || kind === 'interrupted' || isWorthWaiting) throw error;
    deps.logger.warn({ ...currentLogFields(), fault: fault.code, model: divider.model }, 'stored without chapters');
    return [];
  }
}
