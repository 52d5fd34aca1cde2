/**
 * Converts subtitle cues to transcript segments. A segment is a cue with its own times, because players show and seek
 * by them. Sounds are dropped, and rolling captions are unrolled.
 */
import type { TranscriptSegment } from '../../types.ts';
import type { Cue } from './webvtt.ts';

/** Sounds such as «[музыка]» and "(applause)". Linear on any input: no group repeats another. */
const SOUND = /\[[^[\]]*\]|\([^()]*\)|\*[^*]*\*/g;
/** Rolling captions follow each other without a gap; the same words a second later are a repetition. */
const ROLLING_GAP = 0.3;
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
  const text = cue.lines.join(' ');
  if (previous === undefined || cue.start - previous.end > ROLLING_GAP) return text;
  const before = previous.lines.join(' ').split(' ');
  const words = text.split(' ');
  const repeated = overlap(before, words);
  return words.slice(repeated).join(' ');
}

/**
 * Returns the number of opening words that repeat the end of the cue before. A single word counts only if it was a
 * whole cue or line («Нет. — Нет!» is dialogue, "hello" growing to "hello world" is not).
 */
function overlap(before: readonly string[], words: readonly string[]): number {
  for (let size = Math.min(before.length, words.length, MAX_ON_SCREEN); size > 0; size -= 1) {
    if (size === 1 && (before.length > 1 || words.length === 1)) return 0;
    const tail = before.slice(before.length - size);
    if (tail.every((word, at) => word === words[at])) return size;
  }
  return 0;
}
