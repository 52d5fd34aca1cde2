/**
 * Transcribes audio of any length: measures it, cuts it in pauses, leaves out parts without speech, sends each piece
 * separately, removes hallucinated words, and converts times to those of the medium.
 */
import { MAX_QUICK_RETRY_MS } from '../../../domain/analysis/deferral.ts';
import { withWorkFolder } from '../../../platform/disk/workDir.ts';
import { ProviderError } from '../../errors.ts';
import { measureSound } from '../../sound/measureSound.ts';
import type { CallContext, SpeechCapability, SpeechInput, VoiceDetector } from '../../types.ts';
import { createOpenAiApi, failsEveryRequest, type OpenAiOptions } from '../calls/openAiApi.ts';
import { ServerUnavailableError } from '../calls/serverErrors.ts';
import { isTooLarge } from '../calls/halveUntilItFits.ts';
import { retryFailedPieces, MAX_CONSECUTIVE_FAILURES, type PieceOutcome } from './retryFailedPieces.ts';
import { earlierSize, transcribePiece, sendKnownPart, type PieceAnswer, type SpeechJob } from './transcribePiece.ts';
import { languageCode } from './languageNames.ts';
import { createPieceSizes, MAX_HALF, MAX_PIECE_SEC } from './pieceSizes.ts';
import { RestartTimeoutError } from './serverRestart.ts';
import { limitToSpeech, type TranscribedSegment } from './speechAnswer.ts';
import { dropHallucinations } from './speechFilter.ts';
import {
  isSilent,
  MAX_PAUSE_OF_SPEAKERS_SEC,
  MAX_PAUSE_SEC,
  nextPiece,
  numberedHalves,
  type NumberedPiece,
  type PieceRules,
  type Span,
} from './speechPieces.ts';
import { createRecord, recordFailure, toTranscript, type RecordedPiece, type SpeechRecord } from './speechRecord.ts';
import {
  matchSpeakers,
  nameSpeakers,
  OVERLAP_SEC,
  voiceSamples,
  withKnownSpeakers,
  type VoiceSample,
} from './speechSpeakers.ts';
import { createTranscriber, PieceTooLongError } from './transcriber.ts';
import { addUsage } from '../calls/callUsage.ts';

export interface OpenAiSpeechOptions extends OpenAiOptions {
  /** Absolute path of the ffmpeg program. */
  ffmpegPath: string;
  /** A swept folder, see platform/disk/workDir.ts: the audio itself may be in a read-only place. */
  workDir: string;
  /** Null: pieces are chosen by their loudness alone. */
  voiceDetector?: VoiceDetector | null;
  /** The longest piece, in seconds. */
  pieceSec?: number;
  /** The delay before a piece that failed is sent again, in milliseconds; the shortest wait for a server. */
  retryMs?: number;
}

/** Bridges one short failure. */
const RETRY_MS = 1_000;

/**
 * @returns a capability for media with sound. Pieces that fail permanently leave a partial transcript and
 * `failed_pieces:n`; if the caller accepts gaps, so do the shortest parts of those that fail temporarily. If all fail,
 * or the server stays unavailable, `run` throws. Pieces are written to `workDir` and removed.
 */
export function createOpenAiSpeech(options: OpenAiSpeechOptions): SpeechCapability {
  const transcriber = createTranscriber(createOpenAiApi(options), options.pieceSec ?? MAX_PIECE_SEC);
  return {
    model: options.model,
    skipReason: 'no_audio',
    canTranscribe: ({ hasAudio }) => hasAudio,
    async run(input: SpeechInput, context: CallContext) {
      const { audioPath } = input;
      if (audioPath === null) throw new ProviderError('permanent', 'no_audio', 'The medium has no sound');
      const { ffmpegPath, workDir, model } = options;
      const voiceDetector = input.sendsAll ? null : (options.voiceDetector ?? null);
      const measured =
        input.measured ?? (await measureSound({ ffmpegPath, workDir, voiceDetector }, audioPath, context));
      const language = languageCode(input.language);
      return withWorkFolder(workDir, async (dir) => {
        const sizes = createPieceSizes(transcriber.learned, context.item, await earlierSize(model, context));
        const { retryMs = RETRY_MS } = options;
        const { hint = null } = input;
        const hints = { language, hint };
        const job = { model, transcriber, ffmpegPath, audioPath, ...hints, measured, sizes, dir, retryMs, context };
        const record = { ...createRecord(), isVoiceUnknown: voiceDetector !== null && measured.voices === null };
        return toTranscript(await transcribeAll(job, record), model);
      });
    },
  };
}

async function transcribeAll(job: SpeechJob, record: SpeechRecord): Promise<SpeechRecord> {
  const end = await transcribeInOrder(job, record);
  await retryFailedPieces(job, record, (piece) => addPiece(job, piece, record, MAX_CONSECUTIVE_FAILURES.ofParts));
  if (record.temporaryError !== null && !job.context.acceptsGaps) throw record.temporaryError;
  if (job.measured.voices !== null) record.voicelessSec += Math.max(0, job.measured.durationSec - end);
  return record;
}

/** Transcribes piece after piece, and returns the end of the last one, in seconds. */
async function transcribeInOrder(job: SpeechJob, record: SpeechRecord): Promise<number> {
  let start = 0;
  let halves: NumberedPiece[] = [];
  for (;;) {
    const piece = halves.shift() ?? plannedPiece(job, record, start);
    if (piece === null) return start;
    try {
      const outcome = await addPiece(job, piece, record, MAX_CONSECUTIVE_FAILURES.inOrder);
      if (outcome === 'too long') {
        halves.unshift(...numberedHalves(job.measured, piece, MAX_HALF));
        continue;
      }
      if (outcome === 'failed') record.aside.push(piece);
    } catch (error) {
      if (!(error instanceof PieceTooLongError)) throw error;
      halves = [];
      continue;
    }
    record.voicelessSec += piece.start - start;
    start = piece.end;
  }
}

function plannedPiece(job: SpeechJob, record: SpeechRecord, start: number): NumberedPiece | null {
  const piece = nextPiece(job.measured, start, rulesOf(job, record));
  if (piece === null) return null;
  if (!isSilent(job.measured, piece)) record.planned += 1;
  return { ...piece, number: String(record.planned) };
}

function rulesOf(job: SpeechJob, record: SpeechRecord): PieceRules {
  const maxSec = job.transcriber.maxPieceSec();
  return job.transcriber.isForSpeakers || tellsSpeakers(record)
    ? { maxSec: maxSec - overlapSec(maxSec), maxPauseSec: MAX_PAUSE_OF_SPEAKERS_SEC }
    : { maxSec, maxPauseSec: MAX_PAUSE_SEC };
}

/** Returns the last recorded piece that begins before a time. */
function pieceBefore({ pieces }: SpeechRecord, start: number): RecordedPiece | undefined {
  return pieces.findLast((piece) => piece.start < start);
}

function tellsSpeakers({ pieces }: SpeechRecord): boolean {
  return pieces.some(({ segments }) => segments.some(({ speaker }) => speaker !== null));
}

/** Returns the span that is sent: with speaker detection it includes the end of the previous piece. */
function sentSpan({ transcriber, sizes }: SpeechJob, record: SpeechRecord, piece: Span): Span {
  const before = pieceBefore(record, piece.start);
  if (!before || !tellsSpeakers(record) || piece.start - before.end > MAX_PAUSE_OF_SPEAKERS_SEC) return piece;
  const overlap = overlapSec(Math.min(transcriber.maxPieceSec(), sizes.current()));
  return { start: Math.max(before.start, before.end - overlap), end: piece.end };
}

function samplesOf({ transcriber }: SpeechJob, { pieces }: SpeechRecord): VoiceSample[] {
  return transcriber.takesSamples() ? voiceSamples(pieces.flatMap(({ segments }) => segments)) : [];
}

/** Returns how much of a piece is sent again with the next one, if pieces have at most `maxSec`. */
function overlapSec(maxSec: number): number {
  return Math.min(OVERLAP_SEC, maxSec / 4);
}

/** @param maxConsecutive see `outageOf` */
async function addPiece(
  job: SpeechJob,
  piece: NumberedPiece,
  record: SpeechRecord,
  maxConsecutive: number,
): Promise<PieceOutcome> {
  const { context, measured } = job;
  if (isSilent(measured, piece)) {
    record.silent += 1;
    return 'done';
  }
  try {
    const sent = sentSpan(job, record, piece);
    const toTranscribe = {
      piece,
      sent,
      samples: samplesOf(job, record),
      isServerUnavailable: isServerUnavailable(record, context),
    };
    const answer = await transcribePiece(job, toTranscribe, record.stoppedBy);
    if (answer === null) return 'too long';
    keep(record, answer, job, piece);
    return 'done';
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    recordFailure(record, error);
    const outage = await outageOf(error, job, record, maxConsecutive);
    if (outage !== null) {
      if (!isFutile(context, record, outage)) throw outage;
      record.stoppedBy = outage;
    }
    if (error.kind === 'retryable' && context.acceptsGaps && record.stoppedBy === null) return 'failed';
    record.failed += 1;
    return 'done';
  }
}

/** Returns whether the server has to be waited for, because the last piece may have brought it down. */
function isServerUnavailable({ failuresInARow, temporaryError }: SpeechRecord, { acceptsGaps }: CallContext): boolean {
  return acceptsGaps === true && failuresInARow > 0 && temporaryError instanceof ServerUnavailableError;
}

/** Returns whether no attempt will read more than earlier ones did; their part is better than nothing. */
function isFutile(
  { isLastTry, isLastAttempt }: CallContext,
  { pieces, hasProgress }: SpeechRecord,
  error: ProviderError,
): boolean {
  if (isLastTry !== true || pieces.length === 0 || hasProgress) return false;
  return isLastAttempt === true || failsEveryRequest(error) || (error.retryAfterMs ?? 0) > MAX_QUICK_RETRY_MS;
}

/**
 * Returns why the attempt ends; null if it goes on. Consecutive failures, of which the error is the last one, are an
 * outage. In an attempt that accepts gaps, they may also be due to pieces that the server cannot read, or that bring it
 * down. So the server is sent a part that it read before.
 * @param maxConsecutive number of failures that such an attempt tolerates while nothing was read
 */
async function outageOf(
  error: ProviderError,
  job: SpeechJob,
  record: SpeechRecord,
  maxConsecutive: number,
): Promise<ProviderError | null> {
  if (record.stoppedBy !== null) return null;
  if (isForCaller(error, record)) return error;
  if (error.kind !== 'retryable') return null;
  const known = job.context.acceptsGaps ? record.pieces.at(-1) : undefined;
  const maxInARow = known ? MAX_CONSECUTIVE_FAILURES.inOrder : maxConsecutive;
  if (record.failuresInARow <= (isPatient(job, error) ? maxInARow : 1)) return null;
  return known ? failureOfKnown(error, job, record, known) : error;
}

/** Returns whether an attempt goes on after several consecutive failures. Timeouts take too long for that. */
function isPatient({ context }: SpeechJob, { code }: ProviderError): boolean {
  return context.acceptsGaps === true && code !== 'provider_timeout';
}

async function failureOfKnown(
  error: ProviderError,
  job: SpeechJob,
  record: SpeechRecord,
  known: Span,
): Promise<ProviderError | null> {
  try {
    await sendKnownPart(job, known, error instanceof ServerUnavailableError);
    // The server reads, so the error is the first failure of a new row.
    record.failuresInARow = 1;
    return null;
  } catch (failure) {
    if (failure instanceof ProviderError) return failure;
    throw failure;
  }
}

/**
 * Returns whether an error ends the attempt by itself: a full queue empties with time, and a server that does not
 * accept the shortest piece accepts none.
 */
function isForCaller(error: ProviderError, record: SpeechRecord): boolean {
  if (error instanceof RestartTimeoutError || (isTooLarge(error) && record.pieces.length === 0)) return true;
  return failsEveryRequest(error) || error.code === 'provider_rate_limited';
}

function keep(
  record: SpeechRecord,
  answer: PieceAnswer,
  { measured, hint }: Pick<SpeechJob, 'measured' | 'hint'>,
  piece: NumberedPiece,
): void {
  const believable = dropHallucinations(answer.segments, measured, hint);
  const { segments, isCut } = limitToSpeech(believable, answer.sent);
  record.dropped += answer.segments.length - believable.length;
  if (answer.isCut || isCut) record.cut += 1;
  const timed = answer.timed || answer.segments.length === 0;
  const own = ofPiece(record, { ...answer, segments }, piece);
  const at = record.pieces.findLastIndex(({ start }) => start < piece.start) + 1;
  record.pieces.splice(at, 0, { start: piece.start, end: piece.end, segments: own, timed });
  record.usage = addUsage(record.usage, answer.usage);
  record.requestId = answer.requestId;
  if (!answer.isSaved) {
    record.failuresInARow = 0;
    record.hasProgress = true;
  }
  if (answer.language)
    record.languages.set(answer.language, (record.languages.get(answer.language) ?? 0) + piece.end - piece.start);
}

/** Returns the segments that belong only to this piece, with speakers named as in the pieces before. */
function ofPiece(record: SpeechRecord, answer: PieceAnswer, { start, number }: NumberedPiece): TranscribedSegment[] {
  const { segments, sent } = answer;
  const { pieces } = record;
  const before = pieceBefore(record, start);
  const known = new Set(pieces.flatMap((piece) => piece.segments.map(({ speaker }) => speaker)));
  const namesByLabel = new Map(Object.entries(answer.told ?? {}).filter(([, name]) => known.has(name)));
  if (!before || sent.start >= before.end) return nameSpeakers(segments, namesByLabel, number);
  const matched = matchSpeakers(before.segments, segments, { start: sent.start, end: before.end });
  const fresh = segments.filter(({ start, end }) => (start + end) / 2 >= before.end);
  return nameSpeakers(fresh, withKnownSpeakers(matched, namesByLabel, segments), number);
}
