/** Where to cut a recording and which pieces are worth sending. Pure. */

/** Seconds from the start of the medium. */
export interface Span {
  start: number;
  end: number;
}

export interface Loudness {
  durationSec: number;
  /** RMS level of each second in dBFS; -Infinity for digital silence. */
  levels: number[];
  silences: Span[];
}

/**
 * Seconds below this level hold no speech that anyone recorded to be heard (talk is at -35 to -15
 * dBFS); tape hiss and idle rooms lie between it and silence.
 */
const SPEECH_FLOOR_DB = -55;
const MIN_REST_SEC = 0.05;
/** The share of a segment that must be silent for its words to be held invented. */
const INVENTED_SHARE = 0.9;

/**
 * The end of the piece that starts at `start`: in the middle of the longest pause of its last
 * quarter, else in the quietest second there, at most `maxSec` after `start`.
 */
export function nextCut(loudness: Loudness, start: number, maxSec: number): number {
  const latest = start + maxSec;
  if (loudness.durationSec <= latest) return loudness.durationSec;
  const earliest = start + maxSec * 0.75;
  const pauses = loudness.silences
    .map((span) => ({ start: Math.max(span.start, earliest), end: Math.min(span.end, latest) }))
    .filter((span) => span.end > span.start);
  if (pauses.length > 0) return middle(pauses.reduce((left, right) => (length(right) > length(left) ? right : left)));
  return quietestSecond(loudness.levels, Math.ceil(earliest), Math.floor(latest) - 1) ?? latest;
}

/** True when what is left after `start` is less than a syllable (rounding of the measured length). */
export function isFinished(loudness: Loudness, start: number): boolean {
  return start >= loudness.durationSec - MIN_REST_SEC;
}

/** True when no second of the piece is loud enough for speech, so that it is not uploaded. */
export function isSilent(loudness: Loudness, piece: Span): boolean {
  return quietShare(loudness, piece) === 1;
}

/** True for a segment that lies in silence: its words were invented. */
export function liesInSilence(loudness: Loudness, segment: Span): boolean {
  return length(segment) > 0 && quietShare(loudness, segment) >= INVENTED_SHARE;
}

/** The part of a span below the speech floor, from 0 to 1; 0 where nothing was measured. */
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
