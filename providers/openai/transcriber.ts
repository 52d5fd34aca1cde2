/** Sends one piece of audio to the transcriptions endpoint, in the best format that the server supports. */
import { openAsBlob } from 'node:fs';
import type { OpenAI } from 'openai';
import type { CallContext, Usage } from '../types.ts';
import { requestJson, type OpenAiApi } from './client.ts';
import { InputTooLargeError } from './errors.ts';
import { createFormatLadder } from './formatLadder.ts';
import { createLearnedSize, type LearnedSize } from './learnedSize.ts';
import { billedSeconds, readTranscription, type HeardPiece } from './speechAnswer.ts';
import type { Span } from './speechPieces.ts';
import { bill, tokenUsage } from './callUsage.ts';

type Format = 'verbose_json' | 'diarized_json' | 'json';

/** Times of text-only answers are estimated within a piece, so the piece bounds their error. */
const TEXT_PIECE_SEC = 60;
const MAX_UPLOAD_BYTES = 25 * 1024 * 1024;

/** The server sends text only, so the same audio must be sent in shorter pieces. */
export class PieceTooLongError extends Error {
  override readonly name = 'PieceTooLongError';
}

export interface TranscribedPiece extends HeardPiece {
  usage: Usage;
  requestId: string | null;
}

export interface Transcriber {
  /** Returns the length of the next piece in seconds, if the server reads so much. */
  maxPieceSec(): number;
  /** How much the server reads, in seconds. */
  learned: LearnedSize;
  /** @throws PieceTooLongError, ProviderError, or the signal's reason */
  transcribe(path: string, piece: Span, language: string | null, context: CallContext): Promise<TranscribedPiece>;
}

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

  function needShortPieces(length: number): void {
    textOnly = true;
    // A cut in a pause is at or before the limit; the slack is for rounding.
    if (length > TEXT_PIECE_SEC + 1) throw new PieceTooLongError('The server sends text without times');
  }

  return {
    maxPieceSec: () => (textOnly ? Math.min(pieceSec, TEXT_PIECE_SEC) : pieceSec),
    learned: createLearnedSize(pieceSec),
    async transcribe(path, piece, language, context) {
      const file = await openPiece(path);
      const length = piece.end - piece.start;
      return ladder.use(async (format) => {
        if (format === 'json') needShortPieces(length);
        const body = { model: api.model, file, ...formatFields(format), ...(language ? { language } : {}) };
        const answer = await requestJson(api, context, (client, options) =>
          client.audio.transcriptions.create(body, options),
        );
        // The uploaded length was measured here, so it is known even if the server reports nothing.
        const usage = await bill(api, context, answer, {
          ...tokenUsage(answer.body),
          audioSeconds: billedSeconds(answer.body) ?? length,
        });
        const heard = readTranscription(answer.body, piece);
        if (heard.timed) textOnly = false;
        else if (heard.segments.length > 0) needShortPieces(length);
        return { ...heard, usage, requestId: answer.requestId };
      });
    },
  };
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
