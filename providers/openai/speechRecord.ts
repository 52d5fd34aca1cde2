/** The pieces of a recording while they come in, and the transcript they make. Pure. */
import type { ProviderError } from '../errors.ts';
import type { ProviderResult, Transcript, TranscriptSegment, Usage } from '../types.ts';
import type { HeardSegment } from './speechAnswer.ts';
import { NO_CALLS, provenanceOf } from './usage.ts';

export interface SpeechRecord {
  pieces: { segments: HeardSegment[]; timed: boolean }[];
  /** Seconds of audio by detected language. */
  languages: Map<string, number>;
  silent: number;
  failed: number;
  dropped: number;
  lastPieceFailed: boolean;
  error: ProviderError | null;
  usage: Usage | null;
  requestId: string | null;
}

export function createRecord(): SpeechRecord {
  return {
    pieces: [],
    languages: new Map(),
    silent: 0,
    failed: 0,
    dropped: 0,
    lastPieceFailed: false,
    error: null,
    usage: null,
    requestId: null,
  };
}

/**
 * @param declared the client's language, which wins over any that was detected
 * @throws the last piece's ProviderError when no piece succeeded and some failed
 */
export function toTranscript(record: SpeechRecord, declared: string | null, model: string): ProviderResult<Transcript> {
  if (record.pieces.length === 0 && record.error) throw record.error;
  const segments = withSpeakers(record);
  const counts = { failed_pieces: record.failed, silent_pieces: record.silent, dropped_segments: record.dropped };
  return {
    value: {
      language: declared ?? longest(record.languages),
      timestamps: record.pieces.every((piece) => piece.timed) ? 'model' : 'estimated',
      text: segments.map((segment) => segment.text).join(' '),
      segments,
    },
    provenance: provenanceOf({ model }, record.requestId),
    usage: record.usage ?? NO_CALLS,
    warnings: Object.entries(counts).flatMap(([name, count]) => (count > 0 ? [`${name}:${count}`] : [])),
  };
}

/**
 * Letters of speakers start anew in each piece: "A" of one is not "A" of the next. With several
 * pieces the letter is prefixed with its piece, which may split one speaker but never joins two.
 */
function withSpeakers(record: SpeechRecord): TranscriptSegment[] {
  const several =
    record.pieces.filter((piece) => piece.segments.some((segment) => segment.speaker !== null)).length > 1;
  return record.pieces.flatMap((piece, index) =>
    piece.segments.map(({ start, end, text, speaker }) => ({
      start: round(start),
      end: round(end),
      text,
      speaker: speaker !== null && several ? `${index + 1}:${speaker}` : speaker,
    })),
  );
}

function longest(languages: Map<string, number>): string | null {
  return [...languages].sort((left, right) => right[1] - left[1])[0]?.[0] ?? null;
}

/** Milliseconds are all that any model measures. */
function round(seconds: number): number {
  return Math.round(seconds * 1_000) / 1_000;
}
