/**
 * Matches speakers across the pieces of a recording. A server names them anew in each piece: "A" of one is not "A" of
 * the next. So the end of a piece is sent again with the next one, and names that speak at the same time in both are
 * the same speaker. Pure.
 */
import type { TranscribedSegment } from './speechAnswer.ts';
import type { Span } from './speechPieces.ts';

/** Length of the end of a piece that is sent twice, seconds. */
export const OVERLAP_SEC = 30;
/** Minimum simultaneous speech of two names for a conclusion, seconds. */
const MIN_SHARED_SEC = 1;
/** Minimum share of a name's speech within the overlap that must also be the other name's. */
const MIN_SHARE = 0.6;
/** Maximum number of segments in the overlap, more than can be said in half a minute: each is compared with each. */
const MAX_SEGMENTS = 200;

/**
 * Returns the name in the earlier piece for each name of the later one, each at most once. An unmatched name may be a
 * new speaker, or one who was silent in the overlap.
 */
export function matchSpeakers(
  earlier: readonly TranscribedSegment[],
  later: readonly TranscribedSegment[],
  overlap: Span,
): Map<string, string> {
  const known = segmentsWithin(overlap, earlier);
  const unnamed = segmentsWithin(overlap, later);
  const shared = pairsOf(known, unnamed, overlap).toSorted((a, b) => b.seconds - a.seconds);
  const matched = new Map<string, string>();
  const taken = new Set<string>();
  for (const { before, after, seconds } of shared) {
    if (matched.has(after) || taken.has(before)) continue;
    if (seconds < MIN_SHARED_SEC || seconds < MIN_SHARE * speechOf(unnamed, after, overlap)) continue;
    matched.set(after, before);
    taken.add(before);
  }
  return matched;
}

function segmentsWithin(overlap: Span, segments: readonly TranscribedSegment[]): TranscribedSegment[] {
  return segments.filter(({ start, end }) => start < overlap.end && end > overlap.start).slice(0, MAX_SEGMENTS);
}

interface Pair {
  before: string;
  after: string;
  seconds: number;
}

function pairsOf(earlier: readonly TranscribedSegment[], later: readonly TranscribedSegment[], overlap: Span): Pair[] {
  const pairs = new Map<string, Pair>();
  for (const a of earlier) {
    for (const b of later) {
      if (a.speaker === null || b.speaker === null) continue;
      const seconds = Math.min(a.end, b.end, overlap.end) - Math.max(a.start, b.start, overlap.start);
      if (seconds <= 0) continue;
      const key = JSON.stringify([a.speaker, b.speaker]);
      const pair = pairs.get(key) ?? { before: a.speaker, after: b.speaker, seconds: 0 };
      pairs.set(key, { ...pair, seconds: pair.seconds + seconds });
    }
  }
  return [...pairs.values()];
}

function speechOf(segments: readonly TranscribedSegment[], speaker: string, overlap: Span): number {
  return segments
    .filter((segment) => segment.speaker === speaker)
    .map(({ start, end }) => Math.min(end, overlap.end) - Math.max(start, overlap.start))
    .reduce((sum, seconds) => sum + Math.max(0, seconds), 0);
}

/** A stretch in which one speaker is heard. */
export interface VoiceSample extends Span {
  speaker: string;
}

/** OpenAI's diarising model accepts up to four samples, each of 2 to 10 s; times of segments are not exact. */
const [MAX_SAMPLES, MIN_SAMPLE_SEC, MAX_SAMPLE_SEC] = [4, 2.5, 8];

/**
 * Returns the middle of the longest segment of each speaker: at most four, of those who speak most, in descending
 * order. A speaker without a segment long enough has none.
 * @param segments with names that are valid for the whole recording
 */
export function voiceSamples(segments: readonly TranscribedSegment[]): VoiceSample[] {
  const longest = new Map<string, { segment: TranscribedSegment; spokenSec: number }>();
  for (const segment of segments) {
    if (segment.speaker === null) continue;
    const known = longest.get(segment.speaker) ?? { segment, spokenSec: 0 };
    longest.set(segment.speaker, {
      segment: lengthOf(segment) > lengthOf(known.segment) ? segment : known.segment,
      spokenSec: known.spokenSec + lengthOf(segment),
    });
  }
  return [...longest]
    .filter(([, { segment }]) => lengthOf(segment) >= MIN_SAMPLE_SEC)
    .toSorted(([, a], [, b]) => b.spokenSec - a.spokenSec)
    .slice(0, MAX_SAMPLES)
    .map(([speaker, { segment }]) => ({ speaker, ...middleOf(segment) }));
}

function middleOf(segment: Span): Span {
  const length = Math.min(MAX_SAMPLE_SEC, lengthOf(segment));
  const start = (segment.start + segment.end - length) / 2;
  return { start, end: start + length };
}

function lengthOf({ start, end }: Span): number {
  return end - start;
}

/**
 * Returns the speaker of each label: those in `known`, and those that the overlap explains (`matched`), unless the
 * server has recognised that speaker in this piece.
 * @param known the speaker of each label that the server was given
 */
export function withKnownSpeakers(
  matched: ReadonlyMap<string, string>,
  known: ReadonlyMap<string, string>,
  segments: readonly TranscribedSegment[],
): Map<string, string> {
  const recognised = new Set(segments.map(({ speaker }) => known.get(speaker ?? '')));
  return new Map([...[...matched].filter(([, name]) => !recognised.has(name)), ...known]);
}

/**
 * Returns the segments of a piece with names that are valid for the whole recording.
 * @param number of the piece, see `NumberedPiece`; unless the recording begins with it, it prefixes an unmatched name,
 *   as in `2:A`
 */
export function nameSpeakers(
  segments: readonly TranscribedSegment[],
  matched: ReadonlyMap<string, string>,
  number: string,
): TranscribedSegment[] {
  const isFirst = /^1(\.1)*$/.test(number);
  return segments.map((segment) => {
    if (segment.speaker === null) return segment;
    const own = isFirst ? segment.speaker : `${number}:${segment.speaker}`;
    return { ...segment, speaker: matched.get(segment.speaker) ?? own };
  });
}
