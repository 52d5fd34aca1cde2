/** Reads a transcription answer of any format by its content, whatever format was requested. Pure. */
import { badAnswer, isRecord } from './errors.ts';
import { languageCode } from './languageNames.ts';
import type { Span } from './speechPieces.ts';

/** Times are seconds from the start of the medium. A measure is null if the server gives none. */
export interface HeardSegment extends Span {
  text: string;
  speaker: string | null;
  noSpeechProb: number | null;
  avgLogprob: number | null;
  compressionRatio: number | null;
}

export interface HeardPiece {
  /** ISO 639-1 code, or null. */
  language: string | null;
  /** Whether the model measured the times. */
  timed: boolean;
  segments: HeardSegment[];
}

/**
 * @param piece position of this answer's audio in the medium
 * @throws ProviderError `provider_bad_answer`
 */
export function readTranscription(body: unknown, piece: Span): HeardPiece {
  if (!isRecord(body)) throw badAnswer('it is not a transcription');
  const { text, segments } = body;
  const timed = Array.isArray(segments)
    ? (segments as unknown[]).flatMap((segment) => readSegment(segment, piece))
    : [];
  if (timed.length === 0 && typeof text !== 'string') throw badAnswer('it is not a transcription');
  const words = typeof text === 'string' ? text : '';
  return {
    language: languageCode(body['language']) ?? languageOfList(body['languages']),
    timed: timed.length > 0,
    segments: timed.length > 0 ? timed : spreadText(words, piece),
  };
}

/** Returns one segment in the time of the medium; none if it has no words or no usable times. */
function readSegment(value: unknown, piece: Span): HeardSegment[] {
  if (!isRecord(value) || typeof value['text'] !== 'string') return [];
  const text = value['text'].trim();
  const [from, to] = [number(value['start']), number(value['end'])];
  if (text === '' || from === null || to === null) return [];
  const start = clamp(piece.start + from, piece);
  return [
    {
      start,
      end: Math.max(start, clamp(piece.start + to, piece)),
      text,
      speaker: typeof value['speaker'] === 'string' && value['speaker'] !== '' ? value['speaker'] : null,
      noSpeechProb: number(value['no_speech_prob']),
      avgLogprob: number(value['avg_logprob']),
      compressionRatio: number(value['compression_ratio']),
    },
  ];
}

/** Distributes sentences over the time of their piece in proportion to their length: an estimate, marked as one. */
export function spreadText(text: string, piece: Span): HeardSegment[] {
  const sentences = [...new Intl.Segmenter('ru', { granularity: 'sentence' }).segment(text.trim())]
    .map(({ segment }) => segment.trim())
    .filter((sentence) => sentence !== '');
  const total = sentences.reduce((sum, sentence) => sum + sentence.length, 0);
  let spoken = 0;
  const at = (characters: number): number => piece.start + ((piece.end - piece.start) * characters) / total;
  return sentences.map((sentence) => {
    const start = at(spoken);
    spoken += sentence.length;
    return {
      start,
      end: at(spoken),
      text: sentence,
      speaker: null,
      noSpeechProb: null,
      avgLogprob: null,
      compressionRatio: null,
    };
  });
}

function languageOfList(value: unknown): string | null {
  const first: unknown = Array.isArray(value) ? value[0] : undefined;
  return isRecord(first) ? languageCode(first['code']) : null;
}

/** More than the longest recording has, which is four hours. */
const MOST_BILLED_SEC = 86_400;

/** Returns the billed seconds if the server reports them; a month's sum must not become negative or overflow. */
export function billedSeconds(body: unknown): number | null {
  const usage = isRecord(body) ? body['usage'] : undefined;
  const seconds = isRecord(usage) && usage['type'] === 'duration' ? number(usage['seconds']) : null;
  return seconds !== null && seconds >= 0 && seconds <= MOST_BILLED_SEC ? seconds : null;
}

function number(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

function clamp(time: number, piece: Span): number {
  return Math.min(Math.max(time, piece.start), piece.end);
}
