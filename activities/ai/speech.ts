/** Activity of the step speech: transcribes one medium. */
import { endMediumStep, readMediumTodo, storeTranscript, type StoredMedium } from '../../db/analysis/mediaSteps.ts';
import { readItemLanguage } from '../../db/analysis/languageEvidence.ts';
import { startStep } from '../../db/analysis/steps.ts';
import { isLastDeferral, PATIENT_DEFERRALS } from '../../domain/analysis/deferral.ts';
import { faultError, type MissingPart, type SkipCode } from '../../domain/items/errorCodes.ts';
import type { MediumWork } from '../../domain/jobs/workflowMessages.ts';
import { speechHint } from '../../providers/builtin/summary/speechHint.ts';
import type { Drafts, SpeechCapability } from '../../providers/types.ts';
import { runWork, type WorkContext } from '../runActivity.ts';
import { callProvider, draftsOf } from './callProvider.ts';
import type { AiActivityDeps } from './deps.ts';
import { isLastAttempt } from './schedule.ts';
import { transcriptLanguage, recognitionLanguage } from './itemLanguage.ts';

export function createSpeechActivity(deps: AiActivityDeps) {
  return {
    /** @returns false when there was nothing left to do */
    transcribeMedium: (work: MediumWork): Promise<boolean> =>
      runWork(
        deps.logger,
        (context) => transcribeMedium(deps, work, context),
        (fault) => endMediumStep(deps.pool, work, 'failed', fault.error),
      ),
  };
}

async function transcribeMedium(deps: AiActivityDeps, work: MediumWork, context: WorkContext): Promise<boolean> {
  if (!(await startStep(deps.pool, work))) return false;
  const medium = await readMediumTodo(deps.pool, work);
  if (!medium) return false;
  const skip = whySkip(deps, medium);
  if (skip) return endMediumStep(deps.pool, work, 'skipped', faultError(skip));
  return transcribe(deps, work, medium, context);
}

function whySkip({ providers }: AiActivityDeps, medium: StoredMedium): SkipCode | null {
  const hasAudio = medium.audioKey !== null;
  const hasSubtitles = medium.subtitlesKey !== null;
  if (!hasAudio && !hasSubtitles) return 'no_audio';
  return providers.speech?.canTranscribe({ hasAudio, hasSubtitles }) ? null : 'no_speech_provider';
}

async function transcribe(
  deps: AiActivityDeps,
  work: MediumWork,
  medium: StoredMedium,
  context: WorkContext,
): Promise<boolean> {
  const { speech } = deps.providers;
  if (!speech) return false;
  const drafts = draftsOf(deps.pool, work);
  const language = await fixedRecognitionLanguage(deps, work, drafts);
  const item = await readItemLanguage(deps.pool, work);
  const patience = {
    acceptsGaps: await acceptsGaps(medium, drafts),
    isLastTry: isLastDeferral(medium.deferrals),
    isLastAttempt: isLastAttempt(),
  };
  const keys = [medium.audioKey, medium.subtitlesKey].filter((key) => key !== null);
  const call = await deps.blobs.withLocalFiles(keys, (paths) => {
    const pathOf = (key: string | null): string | null => (key === null ? null : (paths[keys.indexOf(key)] ?? null));
    const input = {
      audioPath: pathOf(medium.audioKey),
      subtitlesPath: pathOf(medium.subtitlesKey),
      durationSec: medium.durationSec ?? 0,
      language,
      hint: item && speechHint(item.own),
    };
    return callProvider(deps, work, context, speech, input, { capability: 'speech', drafts, patience });
  });
  const transcript = { ...call.value, language: transcriptLanguage(call.value, language) };
  return storeTranscript(deps.pool, work, transcript, call.provenance, {
    model: deps.models.speech,
    error: transcript.isPartial ? faultError(whyPartial(speech)) : null,
  });
}

/**
 * Returns the language that the recogniser is told. It stays the same for all attempts, whatever becomes known
 * meanwhile: saved answers belong to it, and would have to be paid for again.
 */
async function fixedRecognitionLanguage(
  { pool }: AiActivityDeps,
  work: MediumWork,
  drafts: Drafts,
): Promise<string | null> {
  const saved = (await drafts.load('language told')) as { language: string | null } | undefined;
  if (saved) return saved.language;
  const language = await recognitionLanguage(pool, work);
  await drafts.save('language told', { language }, false);
  return language;
}

/**
 * Returns true once the step has been deferred often enough to accept gaps in the transcript. The decision is stored:
 * each piece that is transcribed restarts the schedule of deferrals, and the long wait must not be repeated.
 */
async function acceptsGaps({ deferrals }: StoredMedium, drafts: Drafts): Promise<boolean> {
  if ((await drafts.load('accepts gaps')) !== undefined) return true;
  if (deferrals < PATIENT_DEFERRALS) return false;
  await drafts.save('accepts gaps', {}, false);
  return true;
}

/** Returns why a transcript leaves out speech: without a recogniser only subtitles are read. */
function whyPartial(speech: SpeechCapability): MissingPart {
  return speech.canTranscribe({ hasAudio: true, hasSubtitles: false }) ? 'speech_partial' : 'no_speech_provider';
}
