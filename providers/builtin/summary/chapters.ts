/** Built-in chapters of a recording: split where its vocabulary changes, and titled by the key phrases of each part. */
import { withWholeWords } from '../../../domain/items/wholeWords.ts';
import { leastChapterSec } from '../../../domain/analysis/chapters.ts';
import type { ChaptersInput, ProposedChapter, TranscriptSegment } from '../../types.ts';
import type { TextFindings } from '../reading/reading.ts';
import { extractKeywords } from './keywords.ts';
import { rankPhrases } from './rankPhrases.ts';
import type { Zone } from '../text/weightedTextZones.ts';
import { detectLanguage } from '../text/detectLanguage.ts';
import { chooseSentences, clip } from './chooseSentences.ts';
import { isStopWord } from '../text/stopWords.ts';
import { stem } from '../text/stem.ts';
import { subjectChanges } from './textTiling.ts';
import { splitWords } from '../text/words.ts';

/** Recordings with fewer words per second have no speech worth dividing: a song, or a film with little dialogue. */
const MIN_WORDS_PER_SECOND = 0.3;
/** Minimum length of a part, in seconds and as a share of the recording: word counts cannot resolve shorter ones. */
const MIN_SEC = 60;
const MIN_SHARE = 1 / 15;
const TITLE_PHRASES = 2;
const TITLE_LENGTH = 70;

/** A part of a recording with its own subject. */
export interface Part {
  /** Seconds from the start of the recording. */
  start: number;
  text: string;
}

/** Returns the parts of a recording; none if it has one subject. */
export function divideRecording({ segments, durationSec }: ChaptersInput): Part[] {
  const pieces = segments.map(({ text }) => contentStems(text));
  const words = pieces.reduce((sum, stems) => sum + stems.length, 0);
  if (words < durationSec * MIN_WORDS_PER_SECOND) return [];
  const minSec = Math.max(MIN_SEC, durationSec * MIN_SHARE, leastChapterSec(durationSec));
  const starts: number[] = [0];
  for (const { at } of subjectChanges(pieces)) {
    const start = segments[at]?.start ?? 0;
    if ([...starts, durationSec].every((other) => Math.abs(other - start) >= minSec)) starts.push(start);
  }
  if (starts.length < 2) return [];
  return partsOf(
    segments,
    starts.toSorted((a, b) => a - b),
  );
}

function partsOf(segments: readonly TranscriptSegment[], starts: readonly number[]): Part[] {
  return starts.map((start, at) => {
    const end = starts[at + 1] ?? Infinity;
    const own = segments.filter((segment) => segment.start >= start && segment.start < end);
    return { start, text: withWholeWords(own.map(({ text }) => text).join(' ')) };
  });
}

/**
 * Titles the parts of a recording by their subjects: noun phrases in their dictionary form where a reader has read the
 * part, else words by their frequency.
 * @param reads findings in each part, or in its beginning; empty without a reader
 */
export function titleParts(parts: readonly Part[], reads: readonly TextFindings[]): ProposedChapter[] {
  const stems = parts.map(({ text }) => contentStems(text));
  const total = countsOf(stems.flat());
  const used = new Set<string>();
  return parts.map(({ start, text }, at) => {
    const here = countsOf(stems[at] ?? []);
    // A subject of this part is rare in the rest of the recording.
    const isOwn = (phrase: string): boolean =>
      contentStems(phrase).some((key) => 2 * (here.get(key) ?? 0) > (total.get(key) ?? 0));
    const chosen = ownSubjects(text, reads[at] ?? null, isOwn)
      .filter((phrase) => !used.has(phrase))
      .slice(0, TITLE_PHRASES);
    for (const phrase of chosen) used.add(phrase);
    const title = chosen.join(', ') || clip(chooseSentences([text], TITLE_LENGTH, null).text, TITLE_LENGTH);
    return { start, title: capitalised(title) };
  });
}

/** Returns the subjects of a part that are its own, best first. */
function ownSubjects(text: string, read: TextFindings, isOwn: (phrase: string) => boolean): string[] {
  return read === null ? ownWords(text, isOwn) : apart(rankPhrases([zoneOf(text)], [read]).filter(isOwn));
}

/** Returns phrases without those that share a word with a better one: «торможение» beside «торможение двигателем». */
function apart(phrases: readonly string[]): string[] {
  const seen = new Set<string>();
  return phrases.filter((phrase) => {
    const stems = contentStems(phrase);
    const isApart = !stems.some((key) => seen.has(key));
    for (const key of stems) seen.add(key);
    return isApart;
  });
}

/** Returns phrases by frequency, then words that are in none of them. */
function ownWords(text: string, isOwn: (phrase: string) => boolean): string[] {
  const { phrases, subjects } = extractKeywords([zoneOf(text)], detectLanguage(text) === 'other');
  const own = phrases.filter(isOwn);
  const inPhrases = new Set(own.flatMap(contentStems));
  return [...own, ...subjects.filter((word) => isOwn(word) && !contentStems(word).some((key) => inPhrases.has(key)))];
}

function zoneOf(text: string): Zone {
  return { kind: 'transcript', text, weight: 1 };
}

function contentStems(text: string): string[] {
  return splitWords(text)
    .filter(({ folded }) => folded.length > 2 && !isStopWord(folded))
    .map(({ folded }) => stem(folded));
}

function countsOf(stems: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of stems) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

function capitalised(title: string): string {
  const [first = ''] = title;
  return first.toLocaleUpperCase() + title.slice(first.length);
}
