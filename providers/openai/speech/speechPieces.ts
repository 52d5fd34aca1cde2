/** Decides where to cut a recording and which pieces are worth sending. Pure. */
import type { Loudness, Measured } from '../../types.ts';

/** Seconds from the start of the medium. */
export interface Span {
  start: number;
  end: number;
}

/** A planned piece, or a part of one. */
export interface NumberedPiece extends Span {
  /**
   * `3` is the third planned piece that is not silent, `3.2` its second half. It does not depend on what was heard or
   * halved before: names of speakers in saved answers contain it.
   */
  number: string;
}

/** Rules for the sizes of pieces. */
export interface PieceRules {
  maxSec: number;
  /** A longer stretch without a voice ends a piece, and is not sent. */
  maxPauseSec: number;
}

/** A longer stretch without a voice is not sent; a shorter one costs less than another request. */
export const MAX_PAUSE_SEC = 10;
/** Pauses up to this length are sent if speakers are distinguished, because their pieces should be contiguous. */
export const MAX_PAUSE_OF_SPEAKERS_SEC = 60;

/**
 * Seconds below this level have no speech that was recorded to be heard (talk is at -35 to -15 dBFS); tape hiss and
 * idle rooms are between it and silence.
 */
const SPEECH_FLOOR_DB = -55;
const MIN_REST_SEC = 0.05;
/** The share of a segment that must be silent for its words to count as hallucinated. */
const MIN_SILENT_SHARE = 0.9;
/** Time sent before and after a voice: soft beginnings and endings are sometimes missed. */
const AROUND_VOICE_SEC = 0.5;

/**
 * Returns the end of the piece that starts at `start`: in the middle of the longest pause of its last quarter, else in
 * the quietest second there, at most `maxSec` after `start`.
 */
export function nextCut(loudness: Loudness, start: number, maxSec: number): number {
  const latest = start + maxSec;
  if (loudness.durationSec <= latest) return loudness.durationSec;
  return cutBetween(loudness, start + maxSec * 0.75, latest);
}

/** Returns the two halves of a piece with their numbers. */
export function numberedHalves(loudness: Loudness, piece: NumberedPiece, maxShare: number): NumberedPiece[] {
  return halvesOf(loudness, piece, maxShare).map((half, at) => ({ ...half, number: `${piece.number}.${at + 1}` }));
}

/** Returns two halves of a piece, cut like pieces; each has at most `maxShare` of its length, which is over a half. */
export function halvesOf(loudness: Loudness, piece: Span, maxShare: number): [Span, Span] {
  const maxLength = length(piece) * maxShare;
  const cut = cutBetween(loudness, piece.end - maxLength, piece.start + maxLength);
  return [
    { start: piece.start, end: cut },
    { start: cut, end: piece.end },
  ];
}

function cutBetween(loudness: Loudness, earliest: number, latest: number): number {
  const pauses = loudness.silences
    .map((span) => ({ start: Math.max(span.start, earliest), end: Math.min(span.end, latest) }))
    .filter((span) => span.end > span.start);
  if (pauses.length > 0) return middle(pauses.reduce((left, right) => (length(right) > length(left) ? right : left)));
  return quietestSecond(loudness.levels, Math.ceil(earliest), Math.floor(latest) - 1) ?? latest;
}

/**
 * Returns the next piece to send after `start`; null if there is none. Without known voices it begins at `start`, and
 * may be silent (`isSilent`).
 */
export function nextPiece(measured: Measured, start: number, { maxSec, maxPauseSec }: PieceRules): Span | null {
  if (start >= measured.durationSec - MIN_REST_SEC) return null;
  if (measured.voices === null) return { start, end: nextCut(measured, start, maxSec) };
  const ahead = measured.voices.filter((voice) => voice.end > start + MIN_REST_SEC);
  const first = ahead[0];
  if (!first) return null;
  const from = Math.max(start, first.start - AROUND_VOICE_SEC);
  const cut = nextCut(measured, from, maxSec);
  let last = first;
  for (const voice of ahead) {
    if (voice.start >= cut || voice.start - last.end > maxPauseSec) break;
    last = voice;
  }
  return { start: from, end: Math.min(cut, last.end + AROUND_VOICE_SEC) };
}

/**
 * Returns whether no second of the piece is loud enough for speech, or no voice was found in it, so that it is not
 * uploaded.
 */
export function isSilent(measured: Measured, piece: Span): boolean {
  return quietShare(measured, piece) === 1 || voicedShare(measured, piece) === 0;
}

/** Returns whether a segment is in silence, so that its words were hallucinated. */
export function liesInSilence(measured: Measured, segment: Span): boolean {
  const span = withLength(segment);
  return quietShare(measured, span) >= MIN_SILENT_SHARE || voicedShare(measured, span) <= 1 - MIN_SILENT_SHARE;
}

/** Returns whether a detector heard a voice in most of a segment. */
export function isVoiced(measured: Measured, segment: Span): boolean {
  return measured.voices !== null && voicedShare(measured, withLength(segment)) > 0.5;
}

/**
 * Whisper gives no length to words at the end of a piece, which are often hallucinated: they are judged by what is
 * around them.
 */
function withLength(segment: Span): Span {
  if (length(segment) > 0) return segment;
  return { start: segment.start - AROUND_VOICE_SEC, end: segment.end + AROUND_VOICE_SEC };
}

/** Returns the share of a span with speech or close to it, from 0 to 1; 1 if no detector was run. */
function voicedShare({ voices }: Measured, span: Span): number {
  if (voices === null || length(span) <= 0) return 1;
  let voiced = 0;
  let from = span.start;
  for (const voice of voices) {
    const end = Math.min(span.end, voice.end + AROUND_VOICE_SEC);
    const start = Math.max(from, voice.start - AROUND_VOICE_SEC);
    if (end <= start) continue;
    voiced += end - start;
    from = end;
  }
  return voiced / length(span);
}

/** Returns the share of a span below the speech floor, from 0 to 1; 0 if nothing was measured. */
function quietShare(loudness: Loudness, span: Span): number {
  let quiet = 0;
  let measured = 0;
  for (let second = Math.floor(span.start); second < span.end; second += 1) {
    const level = loudness.levels[second];
    if (level === undefined) continue;
    const overlap = Math.min(span.end, second + 1) - Math.max(span.start, second);
    measured += overlap;
    if (level < SPEECH_FLOOR_DB) quiet += overlap;
  }
  return measured === 0 ? 0 : quiet === measured ? 1 : quiet / measured;
}

function quietestSecond(levels: number[], from: number, to: number): number | null {
  let best: number | null = null;
  for (let second = from; second <= to; second += 1) {
    const level = levels[second];
    if (level !== undefined && (best === null || level < (levels[best] ?? 0))) best = second;
  }
  return best === null ? null : best + 0.5;
}

function middle(span: Span): number {
  return (span.start + span.end) / 2;
}

function length(span: Span): number {
  return span.end - span.start;
}
