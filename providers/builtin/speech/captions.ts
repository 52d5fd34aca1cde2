/**
 * Converts subtitle cues to transcript segments. A segment is a cue with its own times, because players show and seek
 * by them. Sounds are dropped, and rolling captions are unrolled.
 */
import type { TranscriptSegment } from '../../types.ts';
import type { Cue } from './webvtt.ts';

/** Sounds such as «[музыка]» and "(applause)". Linear on any input: no group repeats another. */
const SOUND = /\[[^[\]]*\]|\([^()]*\)|\*[^*]*\*/g;
/**
 * Rolling captions follow each other at once or overlap, at most a frame apart (0.042 s at 24 frames a second). The
 * next subtitle of a dialogue follows after at least two frames (0.08 s, a rule of subtitle editors).
 */
const ROLLING_GAP = 0.05;
/** More words than this are never on the screen at once; bounds the comparison. */
const MAX_ON_SCREEN = 60;

export interface SpokenCues {
  segments: TranscriptSegment[];
  dropped: number;
}

/** Returns segments in order of time, and the number of cues without speech. */
export function segmentsOf(cues: readonly Cue[], durationSec: number): SpokenCues {
  const spoken: TranscriptSegment[] = [];
  let dropped = 0;
  let previous: Cue | undefined;
  for (const cue of [...cues].sort((a, b) => a.start - b.start)) {
    const lines = cue.lines.filter((line) => /[\p{L}\p{N}]/u.test(line.replace(SOUND, '')));
    const end = durationSec > 0 ? Math.min(cue.end, durationSec) : cue.end;
    if (lines.length === 0 || end <= cue.start) {
      dropped += 1;
      continue;
    }
    const current = { ...cue, lines };
    const fresh = freshText(previous, current);
    previous = current;
    if (fresh !== '') spoken.push({ start: cue.start, end, text: fresh, speaker: cue.speaker });
    else extendLast(spoken, end);
  }
  return { segments: spoken, dropped };
}

/** Extends the last segment by a cue that only repeats what is on the screen. */
function extendLast(spoken: TranscriptSegment[], end: number): void {
  const last = spoken.at(-1);
  if (last !== undefined) last.end = Math.max(last.end, end);
}

/** Returns the words of a cue that the one before did not show already. */
function freshText(previous: Cue | undefined, cue: Cue): string {
  const words = wordsOf(cue.lines);
  if (previous === undefined || !follows(previous, cue)) return words.join(' ');
  return words.slice(overlap(previous.lines, words)).join(' ');
}

/** Returns true if a cue may be the continuation of the one before: another speaker's words are new. */
function follows(previous: Cue, cue: Cue): boolean {
  return cue.start - previous.end <= ROLLING_GAP && cue.speaker === previous.speaker;
}

/**
 * Returns the number of opening words that the cue before showed: all of it or its last lines, since captions roll by
 * lines. If only part of a line is repeated, the speaker repeated it ("I love you", "love you too"). A single word
 * counts only if more follows («Нет. — Нет!» is dialogue, "hello" growing to "hello world" is not).
 */
function overlap(before: readonly string[], words: readonly string[]): number {
  for (let first = 0; first < before.length; first += 1) {
    const tail = wordsOf(before.slice(first));
    if (tail.length > MAX_ON_SCREEN || tail.length > words.length) continue;
    if (tail.length === 1 && (first > 0 || words.length === 1)) return 0;
    if (tail.every((word, at) => word === words[at])) return tail.length;
  }
  return 0;
}

function wordsOf(lines: readonly string[]): string[] {
  return lines.flatMap((line) => line.split(' '));
}
