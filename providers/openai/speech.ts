/**
 * Transcribes audio of any length: measures it, cuts it in pauses, leaves out parts without speech, sends each piece
 * separately, removes invented words, and converts times to those of the medium.
 */
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { withWorkFolder } from '../../platform/process/workDir.ts';
import { ProviderError } from '../errors.ts';
import { measureSound } from '../sound/measureSound.ts';
import { cutPiece } from '../sound/soundFile.ts';
import type { CallContext, Measured, SpeechCapability, SpeechInput, VoiceDetector } from '../types.ts';
import { createOpenAiApi, stopsEverything, type OpenAiOptions } from './client.ts';
import { drafted } from './savedDrafts.ts';
import { languageCode } from './languageNames.ts';
import { speakable, type HeardSegment } from './speechAnswer.ts';
import { dropInvented } from './speechFilter.ts';
import { isSilent, nextPiece, type PieceRules, type Span } from './speechPieces.ts';
import { createRecord, toTranscript, type SpeechRecord } from './speechRecord.ts';
import { matchSpeakers, nameSpeakers, OVERLAP_SEC } from './speechSpeakers.ts';
import { withProgress } from '../progress.ts';
import { createTranscriber, PieceTooLongError, type TranscribedPiece, type Transcriber } from './transcriber.ts';
import { addUsage } from './callUsage.ts';

export interface OpenAiSpeechOptions extends OpenAiOptions {
  /** Absolute path of the ffmpeg program. */
  ffmpegPath: string;
  /** A swept folder, see platform/process/workDir.ts: the audio itself may be in a read-only place. */
  workDir: string;
  /** Null: pieces are chosen by their loudness alone. */
  voiceDetector?: VoiceDetector | null;
}

/** The delay before a piece's only retry if the server names none: it bridges one short failure. */
const PIECE_RETRY_MS = 1_000;
/** A longer wait is left to the caller's retry. */
const MAX_PIECE_WAIT_MS = 20_000;
/** A longer stretch without a voice is not sent; a shorter one costs less than another request. */
const MAX_PAUSE_SEC = 10;
/** Pauses up to this length are sent if speakers are distinguished, because their pieces should be contiguous. */
const MAX_PAUSE_OF_SPEAKERS_SEC = 60;

interface Job {
  model: string;
  transcriber: Transcriber;
  ffmpegPath: string;
  audioPath: string;
  language: string | null;
  measured: Measured;
  dir: string;
  context: CallContext;
}

/**
 * @returns a capability for media with sound. Pieces that fail permanently leave a partial transcript and
 * `failed_pieces:n`; if all fail, or the server stays unavailable, `run` throws. Pieces are written to `workDir` and
 * removed.
 */
export function createOpenAiSpeech(options: OpenAiSpeechOptions): SpeechCapability {
  const transcriber = createTranscriber(createOpenAiApi(options));
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
        const job = { model, transcriber, ffmpegPath, audioPath, language, measured, dir, context };
        const record = { ...createRecord(), isVoiceUnknown: voiceDetector !== null && measured.voices === null };
        return toTranscript(await transcribeAll(job, record), model);
      });
    },
  };
}

async function transcribeAll(job: Job, record: SpeechRecord): Promise<SpeechRecord> {
  let start = 0;
  for (;;) {
    const piece = nextPiece(job.measured, start, rulesOf(job, record));
    if (piece === null) break;
    try {
      await addPiece(job, piece, record);
    } catch (error) {
      if (error instanceof PieceTooLongError) continue;
      throw error;
    }
    record.voicelessSec += piece.start - start;
    start = piece.end;
  }
  if (job.measured.voices !== null) record.voicelessSec += Math.max(0, job.measured.durationSec - start);
  return record;
}

function rulesOf({ transcriber }: Job, record: SpeechRecord): PieceRules {
  const maxSec = transcriber.maxPieceSec();
  return tellsSpeakers(record)
    ? { maxSec: maxSec - OVERLAP_SEC, maxPauseSec: MAX_PAUSE_OF_SPEAKERS_SEC }
    : { maxSec, maxPauseSec: MAX_PAUSE_SEC };
}

function tellsSpeakers({ pieces }: SpeechRecord): boolean {
  return pieces.some(({ segments }) => segments.some(({ speaker }) => speaker !== null));
}

/** Returns the span that is sent: with speaker detection it includes the end of the previous piece. */
function sentSpan(record: SpeechRecord, piece: Span): Span {
  const before = record.pieces.at(-1);
  if (!before || !tellsSpeakers(record) || piece.start - before.end > MAX_PAUSE_OF_SPEAKERS_SEC) return piece;
  return { start: Math.max(before.start, before.end - OVERLAP_SEC), end: piece.end };
}

async function addPiece(job: Job, piece: Span, record: SpeechRecord): Promise<void> {
  if (isSilent(job.measured, piece)) {
    record.silent += 1;
    return;
  }
  try {
    const sent = sentSpan(record, piece);
    keep(record, await heardPiece(job, sent), job.measured, { piece, sent });
  } catch (error) {
    const outage = error instanceof ProviderError && error.kind === 'retryable' && record.lastPieceFailed;
    if (!(error instanceof ProviderError) || outage || isForCaller(error)) throw error;
    record.failed += 1;
    record.lastPieceFailed = true;
    record.error = error;
  }
}

/**
 * Returns whether an error ends the attempt: two failures in a row are an outage, and a full queue empties with time.
 */
function isForCaller(error: ProviderError): boolean {
  return stopsEverything(error) || error.code === 'provider_rate_limited';
}

/** Transcribes a piece, or returns the saved result of a lost attempt. */
function heardPiece(job: Job, piece: Span): Promise<TranscribedPiece> {
  const part = `piece ${job.model} ${job.language ?? '?'} ${piece.start.toFixed(3)}-${piece.end.toFixed(3)}`;
  return drafted(job.context, part, () => sendPiece(job, piece));
}

async function sendPiece(job: Job, piece: Span): Promise<TranscribedPiece> {
  const path = join(job.dir, 'piece.flac');
  await cutPiece(job.ffmpegPath, job.audioPath, piece, path, job.context);
  const send = (): Promise<TranscribedPiece> => job.transcriber.transcribe(path, piece, job.language, job.context);
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof ProviderError) || error.kind !== 'retryable') throw error;
    const delay = error.retryAfterMs ?? PIECE_RETRY_MS;
    if (delay > MAX_PIECE_WAIT_MS) throw error;
    await pause(delay, job.context);
    return send();
  }
}

async function pause(delayMs: number, context: CallContext): Promise<void> {
  await withProgress(context, () => wait(delayMs, undefined, { signal: context.signal })).catch((error: unknown) => {
    context.signal.throwIfAborted();
    throw error;
  });
}

function keep(
  record: SpeechRecord,
  answer: TranscribedPiece,
  measured: Measured,
  { piece, sent }: Record<'piece' | 'sent', Span>,
): void {
  const believable = dropInvented(answer.segments, measured);
  const { segments, isCut } = speakable(believable, sent);
  record.dropped += answer.segments.length - believable.length;
  if (answer.isCut || isCut) record.cut += 1;
  const timed = answer.timed || answer.segments.length === 0;
  record.pieces.push({ ...piece, segments: ofPiece(record, segments, sent), timed });
  record.usage = addUsage(record.usage, answer.usage);
  record.requestId = answer.requestId;
  record.lastPieceFailed = false;
  if (answer.language)
    record.languages.set(answer.language, (record.languages.get(answer.language) ?? 0) + piece.end - piece.start);
}

/** Returns the segments that belong only to this piece, with speakers named as in the pieces before. */
function ofPiece({ pieces }: SpeechRecord, segments: HeardSegment[], sent: Span): HeardSegment[] {
  const before = pieces.at(-1);
  const number = pieces.length + 1;
  if (!before || sent.start >= before.end) return nameSpeakers(segments, new Map(), number);
  const matched = matchSpeakers(before.segments, segments, { start: sent.start, end: before.end });
  const fresh = segments.filter(({ start, end }) => (start + end) / 2 >= before.end);
  return nameSpeakers(fresh, matched, number);
}
