/** Has a server transcribe one piece of a recording, unless an earlier attempt had it done or it is too long. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ProviderError } from '../../errors.ts';
import { cutPiece } from '../../sound/soundFile.ts';
import type { CallContext, Measured } from '../../types.ts';
import { GatewayTimeoutError } from '../calls/serverErrors.ts';
import { isTooLarge } from '../calls/halveUntilItFits.ts';
import { MIN_PIECE_SEC, type PieceSizes } from './pieceSizes.ts';
import { withDraft } from '../calls/savedDrafts.ts';
import type { Span } from './speechPieces.ts';
import type { VoiceSample } from './speechSpeakers.ts';
import { pause, waitForServer } from './serverRestart.ts';
import type { KnownSpeaker, TranscribedPiece, Transcriber } from './transcriber.ts';

/** Longest wait before a piece is sent once more. If the server asks for a longer one, the caller retries. */
const MAX_PIECE_WAIT_MS = 20_000;

/** The piece is not sent, because the server refuses pieces of this length, or has already read its parts. */
class KnownTooLongError extends Error {
  override readonly name = 'KnownTooLongError';
}

export interface SpeechJob {
  model: string;
  transcriber: Transcriber;
  ffmpegPath: string;
  audioPath: string;
  language: string | null;
  hint: string | null;
  measured: Measured;
  sizes: PieceSizes;
  dir: string;
  /** The delay before a piece's only retry if the server names none, in milliseconds. */
  retryMs: number;
  context: CallContext;
}

export interface PieceToTranscribe {
  piece: Span;
  /** The piece; if speakers are told apart, it begins with the end of the previous piece. */
  sent: Span;
  /** Where the speakers of earlier pieces are heard. */
  samples: readonly VoiceSample[];
  /** True if the server did not answer the last time; the piece is then sent only once the server is back. */
  isServerUnavailable: boolean;
}

export interface PieceAnswer extends TranscribedPiece {
  /** The span that was sent. An earlier attempt may have included more or less of the previous piece than this one. */
  sent: Span;
  /** The answer is that of an earlier attempt. */
  isSaved: boolean;
}

/**
 * Transcribes a piece, or returns the saved result of a lost attempt.
 * @param stoppedBy thrown instead of sending anything
 * @returns null if the piece has to be halved
 */
export async function transcribePiece(
  job: SpeechJob,
  { piece, isServerUnavailable, ...toSend }: PieceToTranscribe,
  stoppedBy: ProviderError | null,
): Promise<PieceAnswer | null> {
  const { sizes, context, model } = job;
  const length = piece.end - piece.start;
  const canHalve = sizes.canHalve(length);
  let isSaved = true;
  try {
    const answer = await withDraft<TranscribedPiece & { sent?: Span }>(
      context,
      partOf('piece', job, piece),
      async () => {
        if (canHalve && (length > sizes.current() || (await wasHalved(job, piece)))) throw new KnownTooLongError();
        if (stoppedBy !== null) throw stoppedBy;
        isSaved = false;
        if (isServerUnavailable) await waitForServer(job.transcriber.api, context, job.retryMs);
        const transcribed = await sendPiece(job, toSend, canHalve);
        sizes.read(length);
        return { ...transcribed, sent: toSend.sent };
      },
    );
    return { ...answer, sent: answer.sent ?? piece, isSaved };
  } catch (error) {
    if (error instanceof KnownTooLongError) return null;
    if (error === stoppedBy || !canHalve || !isTooLong(error)) throw error;
    const seconds = sizes.refused(length);
    await context.drafts?.save(sizePart(model), { seconds });
    return null;
  }
}

function partOf(name: string, { model, language }: SpeechJob, { start, end }: Span): string {
  return `${name} ${model} ${language ?? '?'} ${start.toFixed(3)}-${end.toFixed(3)}`;
}

/**
 * Records that the parts of a piece were read although the whole piece brought the server down, so that no later
 * attempt sends the whole piece again.
 */
export async function saveHalved(job: SpeechJob, piece: Span): Promise<void> {
  await job.context.drafts?.save(partOf('halved', job, piece), {}, false);
}

async function wasHalved(job: SpeechJob, piece: Span): Promise<boolean> {
  return (await job.context.drafts?.load(partOf('halved', job, piece))) !== undefined;
}

/** Names the saved size of the longest piece, so that the next attempt does not wait for the same refusals. */
const sizePart = (model: string): string => `longest piece ${model}`;

export async function earlierSize(model: string, { drafts }: CallContext): Promise<number | null> {
  const saved = (await drafts?.load(sizePart(model))) as { seconds: number } | undefined;
  return saved?.seconds ?? null;
}

async function sendPiece(
  job: SpeechJob,
  { sent: piece, samples }: Pick<PieceToTranscribe, 'sent' | 'samples'>,
  canHalve: boolean,
): Promise<TranscribedPiece> {
  const path = join(job.dir, 'piece.flac');
  await cutPiece(job.ffmpegPath, job.audioPath, piece, path, job.context);
  const known: KnownSpeaker[] = [];
  for (const sample of samples) known.push({ name: sample.speaker, sample: await cutSample(job, sample) });
  const send = (): Promise<TranscribedPiece> =>
    job.transcriber.transcribe({ path, piece, language: job.language, known, hint: job.hint }, job.context);
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof ProviderError) || error.kind !== 'retryable') throw error;
    const delay = error.retryAfterMs ?? job.retryMs;
    if (delay > MAX_PIECE_WAIT_MS || (canHalve && isTooLong(error))) throw error;
    await pause(delay, job.context);
    return send();
  }
}

/**
 * Sends the first half minute of a piece that was read before: if that fails too, the server reads nothing at present.
 * @param isServerUnavailable see `PieceToTranscribe`
 * @throws ProviderError, or the signal's reason
 */
export async function sendKnownPart(job: SpeechJob, { start, end }: Span, isServerUnavailable: boolean): Promise<void> {
  if (isServerUnavailable) await waitForServer(job.transcriber.api, job.context, job.retryMs);
  await sendPiece(job, { sent: { start, end: Math.min(end, start + MIN_PIECE_SEC) }, samples: [] }, false);
}

/** Returns a stretch of the recording as a data URL. */
async function cutSample(job: SpeechJob, span: Span): Promise<string> {
  const path = join(job.dir, 'sample.flac');
  await cutPiece(job.ffmpegPath, job.audioPath, span, path, job.context);
  return `data:audio/flac;base64,${await readFile(path, 'base64')}`;
}

/** A shorter piece may be read where this one was not. */
function isTooLong(error: unknown): boolean {
  if (isTooLarge(error) || error instanceof GatewayTimeoutError) return true;
  return error instanceof ProviderError && error.code === 'provider_timeout';
}
