/** Sends one piece of audio to the transcriptions endpoint, in the best format that the server supports. */
import { openAsBlob } from 'node:fs';
import type { OpenAI } from 'openai';
import type { CallContext, Usage } from '../../types.ts';
import { requestJson, type OpenAiApi } from '../calls/openAiApi.ts';
import { InputTooLargeError, RejectedRequestError } from '../calls/serverErrors.ts';
import { createFormatLadder } from '../calls/formatLadder.ts';
import { createLearnedSize, type LearnedSize } from '../calls/learnedSize.ts';
import { MAX_UPLOAD_BYTES, TEXT_PIECE_SEC } from './pieceSizes.ts';
import { billedSeconds, readTranscription, type PieceTranscription } from './speechAnswer.ts';
import type { Span } from './speechPieces.ts';
import { bill, tokenUsage } from '../calls/callUsage.ts';

type Format = 'verbose_json' | 'diarized_json' | 'json';

/** The server sends text only, so the same audio must be sent in shorter pieces. */
export class PieceTooLongError extends Error {
  override readonly name = 'PieceTooLongError';
}

/** A speaker whose voice the server is shown. */
export interface KnownSpeaker {
  /** The name in the recording. */
  name: string;
  /** A data URL of FLAC. */
  sample: string;
}

/** A span of the recording that is sent in one request. */
export interface PieceToSend {
  /** Absolute path of the FLAC file. */
  path: string;
  piece: Span;
  language: string | null;
  known: readonly KnownSpeaker[];
  /** Words that may be said; null: none are sent. */
  hint: string | null;
}

export interface TranscribedPiece extends PieceTranscription {
  /** The name in the recording of each label that the server was given; older saved answers have none. */
  told?: Record<string, string>;
  usage: Usage;
  requestId: string | null;
}

export interface Transcriber {
  api: OpenAiApi;
  /** Returns the length of the next piece in seconds, unless the server has refused that length. */
  maxPieceSec(): number;
  /** Whether the model's name says that it distinguishes speakers, so that pieces will overlap. */
  isForSpeakers: boolean;
  /** Returns whether the server recognises speakers by samples of their voices. */
  takesSamples(): boolean;
  /** The length of pieces that the server is known to read, in seconds. */
  learned: LearnedSize;
  /** @throws PieceTooLongError, ProviderError, or the signal's reason */
  transcribe(sent: PieceToSend, context: CallContext): Promise<TranscribedPiece>;
}

/**
 * Samples or hints are no longer sent once the server has refused requests for this many items because of them, and
 * accepted none.
 */
const MAX_REFUSED_ITEMS = 2;

/** Guesses by the model's name; the server's answers correct it. */
function formatsFor(model: string): [Format, ...Format[]] {
  if (/diari[sz]e/i.test(model)) return ['diarized_json', 'verbose_json', 'json'];
  if (/gpt-.*transcribe/i.test(model)) return ['json', 'verbose_json'];
  return ['verbose_json', 'json'];
}

/**
 * Creates a transcriber, which remembers what it learns about the server.
 * @param pieceSec the length of pieces with measured times
 */
export function createTranscriber(api: OpenAiApi, pieceSec: number): Transcriber {
  const ladder = createFormatLadder<Format>(formatsFor(api.model));
  let textOnly = ladder.current() === 'json';
  const refusedItems = new Set<string>();

  function needShortPieces(length: number): void {
    textOnly = true;
    // A cut in a pause is at or before the limit; the slack is for rounding.
    if (length > TEXT_PIECE_SEC + 1) throw new PieceTooLongError('The server sends text without times');
  }

  /** The fields are those of OpenAI; other servers may refuse or ignore them. */
  const takesExtras = (): boolean => refusedItems.size < MAX_REFUSED_ITEMS;

  /** OpenAI's diarising model is shown voices and accepts no prompt; with the others it is the other way round. */
  function extrasFor(format: Format, { known, hint }: PieceToSend): Pick<PieceToSend, 'known' | 'hint'> {
    if (format === 'diarized_json') return { known, hint: null };
    return { known: [], hint: takesExtras() ? hint : null };
  }

  async function request(format: Format, file: File, sent: PieceToSend, context: CallContext) {
    if (format === 'json') needShortPieces(lengthOf(sent));
    const { known } = sent;
    const body = { model: api.model, file, ...formatFields(format), ...fieldsOf(sent) };
    const answer = await requestJson(api, context, (client, options) =>
      client.audio.transcriptions.create(body, options),
    );
    // The uploaded length was measured here, so it is known even if the server reports nothing.
    const usage = await bill(api, context, answer, {
      ...tokenUsage(answer.body),
      audioSeconds: billedSeconds(answer.body) ?? lengthOf(sent),
    });
    const transcription = readTranscription(answer.body, sent.piece);
    if (transcription.timed) textOnly = false;
    else if (transcription.segments.length > 0) needShortPieces(lengthOf(sent));
    const namesByLabel = Object.fromEntries(known.map(({ name }, at) => [labelOf(at), name]));
    return { ...transcription, told: namesByLabel, usage, requestId: answer.requestId };
  }

  /** Sends a piece again without samples and hint if the server refuses it with them. */
  async function requestWithExtras(format: Format, file: File, sent: PieceToSend, context: CallContext) {
    try {
      const answer = await request(format, file, sent, context);
      refusedItems.clear();
      return answer;
    } catch (error) {
      if (!(error instanceof RejectedRequestError)) throw error;
      const answer = await request(format, file, { ...sent, known: [], hint: null }, context);
      if (context.item !== undefined) refusedItems.add(context.item);
      return answer;
    }
  }

  return {
    api,
    maxPieceSec: () => (textOnly ? Math.min(pieceSec, TEXT_PIECE_SEC) : pieceSec),
    isForSpeakers: formatsFor(api.model)[0] === 'diarized_json',
    takesSamples: () => ladder.current() === 'diarized_json' && takesExtras(),
    learned: createLearnedSize(pieceSec),
    async transcribe(sent, context) {
      const file = await openPiece(sent.path);
      return ladder.use((format) => {
        const fitting = { ...sent, ...extrasFor(format, sent) };
        const hasExtras = fitting.known.length > 0 || fitting.hint !== null;
        return (hasExtras ? requestWithExtras : request)(format, file, fitting, context);
      });
    },
  };
}

function fieldsOf({ language, known, hint }: PieceToSend): Partial<OpenAI.Audio.TranscriptionCreateParamsNonStreaming> {
  return {
    ...(language && { language }),
    ...(hint && { prompt: hint }),
    ...(known.length > 0 && {
      known_speaker_names: known.map((_, at) => labelOf(at)),
      known_speaker_references: known.map(({ sample }) => sample),
    }),
  };
}

function lengthOf({ piece }: PieceToSend): number {
  return piece.end - piece.start;
}

/** A label that a server does not give by itself (`A`, `SPEAKER_00`, `speaker_1`). */
function labelOf(index: number): string {
  return `known_${index + 1}`;
}

function formatFields(
  format: Format,
): Pick<
  OpenAI.Audio.TranscriptionCreateParamsNonStreaming,
  'response_format' | 'chunking_strategy' | 'timestamp_granularities'
> {
  if (format === 'diarized_json') return { response_format: format, chunking_strategy: 'auto' };
  if (format === 'verbose_json') return { response_format: format, timestamp_granularities: ['segment'] };
  return { response_format: format };
}

async function openPiece(path: string): Promise<File> {
  const blob = await openAsBlob(path, { type: 'audio/flac' });
  if (blob.size > MAX_UPLOAD_BYTES) throw new InputTooLargeError('A piece of audio is over the upload limit');
  return new File([blob], 'audio.flac', { type: 'audio/flac' });
}
