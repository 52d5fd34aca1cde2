/** The pieces of a recording as they arrive, and their transcript. Pure. */
import type { ProviderError } from '../../errors.ts';
import type { ProviderResult, Transcript, TranscriptSegment, Usage } from '../../types.ts';
import { timestampsOf, type TranscribedSegment } from './speechAnswer.ts';
import type { NumberedPiece, Span } from './speechPieces.ts';
import { NO_CALLS, provenanceOf } from '../calls/callUsage.ts';

export interface RecordedPiece extends Span {
  /** With speaker names that are valid for the whole recording. */
  segments: TranscribedSegment[];
  timed: boolean;
}

export interface SpeechRecord {
  /** In order of time. */
  pieces: RecordedPiece[];
  /** Pieces that failed temporarily and are sent again after the others. */
  aside: NumberedPiece[];
  /** Number of planned pieces so far that are not silent, which is also the number of the last one. */
  planned: number;
  /** Seconds of audio by detected language. */
  languages: Map<string, number>;
  silent: number;
  /** Seconds in which a detector found no voice, and which were not sent. */
  voicelessSec: number;
  /** True if the configured voice detector failed. */
  isVoiceUnknown: boolean;
  failed: number;
  dropped: number;
  /** Pieces whose answer had more than can be said in their time. */
  cut: number;
  /** Number of consecutive temporary failures in this attempt, since the server last read something. */
  failuresInARow: number;
  /** True if a piece was read in this attempt. */
  hasProgress: boolean;
  /** Why nothing more is sent. The transcript then has only what was saved before. */
  stoppedBy: ProviderError | null;
  error: ProviderError | null;
  /** The failure of a piece that another attempt may read. */
  temporaryError: ProviderError | null;
  usage: Usage | null;
  requestId: string | null;
}

export function createRecord(): SpeechRecord {
  return {
    pieces: [],
    aside: [],
    planned: 0,
    languages: new Map(),
    silent: 0,
    voicelessSec: 0,
    isVoiceUnknown: false,
    failed: 0,
    dropped: 0,
    cut: 0,
    failuresInARow: 0,
    hasProgress: false,
    stoppedBy: null,
    error: null,
    temporaryError: null,
    usage: null,
    requestId: null,
  };
}

/** Records the failure of a piece, whatever becomes of the piece. */
export function recordFailure(record: SpeechRecord, error: ProviderError): void {
  record.error = error;
  if (error.kind !== 'retryable') return;
  record.failuresInARow += 1;
  record.temporaryError = error;
}

/**
 * The language is the one that the server found for the longest time; null if it states none.
 * @throws the last piece's ProviderError if no piece succeeded and some failed
 */
export function toTranscript(record: SpeechRecord, model: string): ProviderResult<Transcript> {
  if (record.pieces.length === 0 && record.error) throw record.error;
  const segments = record.pieces.flatMap((piece) => piece.segments.map(toSegment));
  const counts = {
    failed_pieces: record.failed,
    silent_pieces: record.silent,
    voiceless_seconds: Math.round(record.voicelessSec),
    dropped_segments: record.dropped,
    cut_pieces: record.cut,
  };
  return {
    value: {
      language: longest(record.languages),
      timestamps: timestampsOf(record.pieces),
      text: segments.map((segment) => segment.text).join(' '),
      segments,
      ...(record.failed > 0 && { isPartial: true }),
    },
    provenance: provenanceOf({ model }, record.requestId),
    usage: record.usage ?? NO_CALLS,
    warnings: [
      ...Object.entries(counts).flatMap(([name, count]) => (count > 0 ? [`${name}:${count}`] : [])),
      ...(record.isVoiceUnknown ? ['voice_detection_failed'] : []),
    ],
  };
}

function toSegment({ start, end, text, speaker }: TranscribedSegment): TranscriptSegment {
  return { start: round(start), end: round(end), text, speaker };
}

function longest(languages: Map<string, number>): string | null {
  return [...languages].sort((left, right) => right[1] - left[1])[0]?.[0] ?? null;
}

/** Rounds to milliseconds, which is the precision of all models. */
function round(seconds: number): number {
  return Math.round(seconds * 1_000) / 1_000;
}
