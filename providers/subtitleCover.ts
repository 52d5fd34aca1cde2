/** Decides whether subtitles cover the speech of a recording. Pure. */
import type { TimeSpan, TranscriptSegment } from './types.ts';

/** Where a recording has sound and voices. */
export interface Sound {
  /** RMS level of each second in dBFS. */
  levels: readonly number[];
  /** Stretches with speech; null if no detector was run. */
  voices: readonly TimeSpan[] | null;
}

/** Speech that was recorded to be heard is at -35 to -15 dBFS. */
const SOUND_DB = -45;
/** Speech may continue between two cues. */
const NEAR_SEC = 2;
/**
 * A cue counts for as long as its words take to be said, so that a title that is shown throughout does not count as
 * subtitles. Slow speech has 15 characters a second, and subtitles shorten it, so the minimum is a third of that. Short
 * cues count whole.
 */
const [MIN_CHARACTERS_PER_SECOND, SHORT_CUE_SEC] = [5, 10];

interface Rule {
  /** The share of the seconds with speech that cues have to cover. */
  minCovered: number;
  /** The longest stretch without a cue, in seconds with speech; at most `maxGapShare` of all seconds with speech. */
  maxGapSec: number;
  maxGapShare: number;
}

/** Songs in films (three minutes) and voices in crowds have no subtitles. */
const BY_VOICE: Rule = { minCovered: 0.5, maxGapSec: 180, maxGapShare: 0.25 };
/** A shorter stretch counts as none. */
const MIN_GAP_SEC = 30;
/**
 * Without a detector music and noise count as speech. The subtitles of a whole film cover a half to two thirds of such
 * seconds, a track with only foreign words or signs a tenth; closing titles last ten minutes at most.
 */
const BY_LOUDNESS: Rule = { minCovered: 0.3, maxGapSec: 600, maxGapShare: 1 };

/**
 * Returns true if subtitles leave out neither much of the speech nor a long stretch of it; also if there is no speech.
 * @param segments in order of time
 */
export function coversSpeech(segments: readonly TranscriptSegment[], sound: Sound): boolean {
  const { spoken, covered, longestGap } = measureCoverage(segments, secondsOf(sound));
  const { minCovered, maxGapSec, maxGapShare } = sound.voices === null ? BY_LOUDNESS : BY_VOICE;
  const maxGap = Math.max(MIN_GAP_SEC, Math.min(maxGapSec, maxGapShare * spoken));
  return covered >= minCovered * spoken && longestGap <= maxGap;
}

/** Returns the seconds with speech (or sound), in order. */
function secondsOf({ levels, voices }: Sound): number[] {
  if (voices === null) return levels.flatMap((level, second) => (level < SOUND_DB ? [] : [second]));
  const seconds = new Set<number>();
  for (const { start, end } of voices)
    for (let second = Math.floor(start); second < end; second += 1) seconds.add(second);
  return [...seconds].sort((a, b) => a - b);
}

/** Counts seconds with speech: all of them, those in or near a cue, and the longest run of others. */
function measureCoverage(segments: readonly TranscriptSegment[], seconds: readonly number[]) {
  const cues = segments.map(({ start, end, text }) => ({ start, end: Math.min(end, start + sayingSec(text)) }));
  let [covered, gap, longestGap, next] = [0, 0, 0, 0];
  for (const second of seconds) {
    while (next < cues.length && (cues[next]?.end ?? 0) + NEAR_SEC <= second) next += 1;
    const cue = cues[next];
    const isCovered = cue !== undefined && cue.start - NEAR_SEC < second + 1;
    covered += isCovered ? 1 : 0;
    gap = isCovered ? 0 : gap + 1;
    longestGap = Math.max(longestGap, gap);
  }
  return { spoken: seconds.length, covered, longestGap };
}

/** Returns the longest time in which words are said, in seconds. */
function sayingSec(text: string): number {
  return Math.max(SHORT_CUE_SEC, text.length / MIN_CHARACTERS_PER_SECOND);
}
