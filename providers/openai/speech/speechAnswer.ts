/** Reads a transcription answer of any format by its content, whatever format was requested. Pure. */
import { bounded, maxSpoken, READ_FACTOR } from '../calls/answerLimits.ts';
import { isRecord } from '../../../domain/isRecord.ts';
import { badAnswer } from '../calls/serverErrors.ts';
import { languageCode } from './languageNames.ts';
import type { Span } from './speechPieces.ts';

/** Maximum length of a speaker's name, in code points. */
const MAX_SPEAKER_LENGTH = 100;

/** Times are seconds from the start of the medium. A measure is null if the server gives none. */
export interface TranscribedSegment extends Span {
  text: string;
  speaker: string | null;
  noSpeechProb: number | null;
  avgLogprob: number | null;
  compressionRatio: number | null;
}

export interface PieceTranscription {
  /** ISO 639-1 code, or null. */
  language: string | null;
  /** Whether the model measured the times. */
  timed: boolean;
  segments: TranscribedSegment[];
  /** Whether the answer was too long to be read whole. */
  isCut: boolean;
}

/**
 * @param piece position of this answer's audio in the medium
 * @returns what has to be cut by `limitToSpeech` once the inventions are dropped
 * @throws ProviderError `provider_bad_answer`
 */
export function readTranscription(body: unknown, piece: Span): PieceTranscription {
  if (!isRecord(body)) throw badAnswer('it is not a transcription');
  const { text, segments: answered } = body;
  const timed = Array.isArray(answered)
    ? (answered as unknown[]).flatMap((segment) => readSegment(segment, piece)).toSorted((a, b) => a.start - b.start)
    : [];
  if (timed.length === 0 && typeof text !== 'string') throw badAnswer('it is not a transcription');
  const spoken = maxSpoken(piece.end - piece.start);
  const limits = { characters: READ_FACTOR * spoken.characters, segments: READ_FACTOR * spoken.segments };
  const words = typeof text === 'string' ? text.trim() : '';
  const limited = bounded(words, limits.characters);
  const all = timed.length > 0 ? timed : spreadText(limited, piece);
  const segments = beginningOf(all, limits);
  return {
    language: languageCode(body['language']) ?? languageOfList(body['languages']),
    timed: timed.length > 0,
    segments,
    isCut: segments.at(-1) !== all.at(-1) || (timed.length === 0 && limited !== words),
  };
}

/** Returns `model` if the model measured the times of all pieces, and `estimated` if any times were spread evenly. */
export function timestampsOf(pieces: readonly Pick<PieceTranscription, 'timed'>[]): 'model' | 'estimated' {
  return pieces.every(({ timed }) => timed) ? 'model' : 'estimated';
}

/** Returns what can be said in the piece, and whether the rest was left out. */
export function limitToSpeech(
  segments: TranscribedSegment[],
  piece: Span,
): Pick<PieceTranscription, 'segments' | 'isCut'> {
  const kept = beginningOf(segments, maxSpoken(piece.end - piece.start));
  return { segments: kept, isCut: kept.at(-1) !== segments.at(-1) };
}

/** Returns the first segments, the last one cut, within the limits of what can be said. */
function beginningOf(segments: TranscribedSegment[], limits: ReturnType<typeof maxSpoken>): TranscribedSegment[] {
  const kept: TranscribedSegment[] = [];
  let room = limits.characters;
  for (const segment of segments.slice(0, limits.segments)) {
    if (room <= 0) break;
    const isWhole = segment.text.length <= room;
    kept.push(isWhole ? segment : { ...segment, text: bounded(segment.text, room) });
    room -= segment.text.length;
  }
  return kept;
}

/** Returns one segment in the time of the medium; none if it has no words or no usable times. */
function readSegment(value: unknown, piece: Span): TranscribedSegment[] {
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
      speaker: typeof value['speaker'] === 'string' ? bounded(value['speaker'], MAX_SPEAKER_LENGTH) || null : null,
      noSpeechProb: number(value['no_speech_prob']),
      avgLogprob: number(value['avg_logprob']),
      compressionRatio: number(value['compression_ratio']),
    },
  ];
}

/** Distributes sentences over the time of their piece in proportion to their length: an estimate, marked as one. */
export function spreadText(text: string, piece: Span): TranscribedSegment[] {
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

/** More than the length of the longest recording, which is four hours. */
const MAX_BILLED_SEC = 86_400;

/** Returns the billed seconds if the server reports them; a month's sum must not become negative or overflow. */
export function billedSeconds(body: unknown): number | null {
  const usage = isRecord(body) ? body['usage'] : undefined;
  const seconds = isRecord(usage) && usage['type'] === 'duration' ? number(usage['seconds']) : null;
  return seconds !== null && seconds >= 0 && seconds <= MAX_BILLED_SEC ? seconds : null;
}

function number(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

function clamp(time: number, piece: Span): number {
  return Math.min(Math.max(time, piece.start), piece.end);
}
