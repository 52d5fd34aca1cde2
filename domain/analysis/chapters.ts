/** Chapters of a recording: where its parts begin and the topic of each. Pure. */
import type { Chapter, TranscriptSegment } from './results.ts';

/** A chapter that a model proposed from the words of a recording; it has not been validated. */
export interface ProposedChapter {
  /** Seconds from the start of the medium. */
  start: number;
  title: string;
}

/** Seconds, except for `count` and `titleLength` (code points). */
export const CHAPTER_LIMITS = { mediumSec: 180, chapterSec: 30, count: 30, titleLength: 100 } as const;

/** Limits for chapters by the medium's author, who may have reasons for short ones: an audiobook has a hundred. */
const AUTHORED_LIMITS = { chapterSec: 1, count: 200 } as const;

/** Returns true when a recording is long enough to be divided, and its words are known with their times. */
export function wantsChapters(segments: readonly TranscriptSegment[], durationSec: number | null): boolean {
  return durationSec !== null && durationSec >= CHAPTER_LIMITS.mediumSec && segments.length > 1;
}

/** Returns the minimum length of a chapter in seconds, such that there are at most `CHAPTER_LIMITS.count`. */
export function leastChapterSec(durationSec: number): number {
  return Math.max(CHAPTER_LIMITS.chapterSec, durationSec / CHAPTER_LIMITS.count);
}

/**
 * Makes chapters from proposals: in time order and without gaps; the first begins at the start of the recording, and
 * the last ends at its end. A proposal is dropped when it is outside the recording, has no title, or is too near to its
 * neighbour or the end.
 * @returns none unless there are at least two
 */
export function acceptChapters(proposed: readonly ProposedChapter[], durationSec: number): Chapter[] {
  return chaptersOf(proposed, durationSec, leastChapterSec(durationSec));
}

/**
 * Makes chapters in the same way from those that the medium's author put into its container, but keeps short ones.
 * Chapters after the 200th become part of it.
 * @returns none unless there are at least two
 */
export function acceptAuthoredChapters(authored: readonly ProposedChapter[], durationSec: number): Chapter[] {
  const first = authored.toSorted((a, b) => a.start - b.start).slice(0, AUTHORED_LIMITS.count);
  return chaptersOf(first, durationSec, AUTHORED_LIMITS.chapterSec);
}

function chaptersOf(proposed: readonly ProposedChapter[], durationSec: number, minSec: number): Chapter[] {
  const kept: ProposedChapter[] = [];
  const usable = proposed
    .map(({ start, title }) => ({ start, title: titleOf(title) }))
    .filter(({ start, title }) => title !== '' && start >= 0 && start <= durationSec - minSec)
    .toSorted((a, b) => a.start - b.start);
  for (const { start, title } of usable) {
    const previous = kept.at(-1);
    if (previous === undefined) kept.push({ start: 0, title });
    else if (start - previous.start >= minSec) kept.push({ start, title });
  }
  if (kept.length < 2) return [];
  return kept.map(({ start, title }, at) => ({ start, end: kept[at + 1]?.start ?? durationSec, title }));
}

/** Returns one line of limited length, without control characters and characters that change the writing direction. */
function titleOf(title: string): string {
  const line = title
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const characters = [...line];
  if (characters.length <= CHAPTER_LIMITS.titleLength) return line;
  return `${characters
    .slice(0, CHAPTER_LIMITS.titleLength - 1)
    .join('')
    .trimEnd()}…`;
}
