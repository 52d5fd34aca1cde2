/**
 * Transcription of audio of any length: measured, cut in pauses, silent pieces kept back, each piece
 * sent on its own, invented words removed, times put back into the time of the medium.
 */
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { withWorkFolder } from '../../process/workDir.ts';
import { ProviderError } from '../errors.ts';
import type { CallContext, SpeechCapability, SpeechInput } from '../types.ts';
import { createOpenAiApi, stopsEverything, type OpenAiOptions } from './client.ts';
import { drafted } from './savedDrafts.ts';
import { languageCode } from './languageNames.ts';
import { cutPiece, measureAudio } from './speechAudio.ts';
import { dropInvented } from './speechFilter.ts';
import { isFinished, isSilent, nextCut, type Loudness, type Span } from './speechPieces.ts';
import { createRecord, toTranscript, type SpeechRecord } from './speechRecord.ts';
import { withProgress } from './progress.ts';
import { createTranscriber, PieceTooLongError, type TranscribedPiece, type Transcriber } from './transcriber.ts';
import { addUsage } from './usage.ts';

export interface OpenAiSpeechOptions extends OpenAiOptions {
  /** Absolute path of the ffmpeg program. */
  ffmpegPath: string;
  /** A swept folder, see process/workDir.ts: the audio itself may lie where nothing can be written. */
  workDir: string;
}

/** The delay before a piece's one repetition, when the server names none: one hiccup is ridden out here. */
const PIECE_RETRY_MS = 1_000;
/** A longer wait is left to the caller's retry. */
const MAX_PIECE_WAIT_MS = 20_000;

interface Job {
  model: string;
  transcriber: Transcriber;
  ffmpegPath: string;
  audioPath: string;
  language: string | null;
  loudness: Loudness;
  dir: string;
  context: CallContext;
}

/**
 * @returns a capability for media with sound. Pieces that fail for good leave a partial transcript
 *   and `failed_pieces:n`; when all fail, or the server stays unavailable, `run` throws. Pieces are
 *   written to `workDir` and removed.
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
      const loudness = await measureAudio(ffmpegPath, audioPath, context);
      const language = languageCode(input.language);
      return withWorkFolder(workDir, async (dir) => {
        const job = { model, transcriber, ffmpegPath, audioPath, language, loudness, dir, context };
        return toTranscript(await transcribeAll(job), language, model);
      });
    },
  };
}

async function transcribeAll(job: Job): Promise<SpeechRecord> {
  const record = createRecord();
  let start = 0;
  while (!isFinished(job.loudness, start)) {
    const piece = { start, end: nextCut(job.loudness, start, job.transcriber.maxPieceSec()) };
    try {
      await addPiece(job, piece, record);
    } catch (error) {
      if (error instanceof PieceTooLongError) continue;
      throw error;
    }
    start = piece.end;
  }
  return record;
}

async function addPiece(job: Job, piece: Span, record: SpeechRecord): Promise<void> {
  if (isSilent(job.loudness, piece)) {
    record.silent += 1;
    return;
  }
  try {
    keep(record, await heardPiece(job, piece), job.loudness, piece);
  } catch (error) {
    const outage = error instanceof ProviderError && error.kind === 'retryable' && record.lastPieceFailed;
    if (!(error instanceof ProviderError) || outage || isForCaller(error)) throw error;
    record.failed += 1;
    record.lastPieceFailed = true;
    record.error = error;
  }
}

/** Two failures in a row are an outage, and a full queue empties with time: both end the attempt. */
function isForCaller(error: ProviderError): boolean {
  return stopsEverything(error) || error.code === 'provider_rate_limited';
}

/** Found again when an attempt that sent it was lost. */
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

function keep(record: SpeechRecord, answer: TranscribedPiece, loudness: Loudness, piece: Span): void {
  const segments = dropInvented(answer.segments, loudness);
  record.dropped += answer.segments.length - segments.length;
  record.pieces.push({ segments, timed: answer.timed || answer.segments.length === 0 });
  record.usage = addUsage(record.usage, answer.usage);
  record.requestId = answer.requestId;
  record.lastPieceFailed = false;
  if (answer.language)
    record.languages.set(answer.language, (record.languages.get(answer.language) ?? 0) + piece.end - piece.start);
}
