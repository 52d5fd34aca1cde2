/** Built-in chapters of a recording: split where its vocabulary changes, and titled by the key phrases of each part. */
import { leastChapterSec } from '../../../domain/analysis/chapters.ts';
import type { ChaptersInput, ProposedChapter, TranscriptSegment } from '../../types.ts';
import { extractKeywords } from './keywords.ts';
import { detectLanguage } from './language.ts';
import { chooseSentences, clip } from './chooseSentences.ts';
import { isStopWord } from './stopWords.ts';
import { stem } from './stem.ts';
import { subjectChanges } from './textTiling.ts';
import { splitWords } from './words.ts';

/** Recordings with fewer words per second have no speech worth dividing: a song, or a film with little dialogue. */
const MIN_WORDS_PER_SECOND = 0.3;
/** Minimum length of a part, in seconds and as a share of the recording: word counts cannot resolve shorter ones. */
const MIN_SEC = 60;
const MIN_SHARE = 1 / 15;
const TITLE_PHRASES = 2;
const TITLE_LENGTH = 70;

interface Part {
  start: number;
  text: string;
}

export function divideRecording({ segments, durationSec }: ChaptersInput): ProposedChapter[] {
  const pieces = segments.map(({ text }) => contentStems(text));
  const words = pieces.reduce((sum, stems) => sum + stems.length, 0);
  if (words < durationSec * MIN_WORDS_PER_SECOND) return [];
  const least = Math.max(MIN_SEC, durationSec * MIN_SHARE, leastChapterSec(durationSec));
  const starts: number[] = [0];
  for (const { at } of subjectChanges(pieces)) {
    const start = segments[at]?.start ?? 0;
    if ([...starts, durationSec].every((other) => Math.abs(other - start) >= least)) starts.push(start);
  }
  return starts.length < 2
    ? []
    : titled(
        partsOf(
          segments,
          starts.toSorted((a, b) => a - b),
        ),
        pieces.flat(),
      );
}

function partsOf(segments: readonly TranscriptSegment[], starts: readonly number[]): Part[] {
  return starts.map((start, at) => {
    const end = starts[at + 1] ?? Infinity;
    const own = segments.filter((segment) => segment.start >= start && segment.start < end);
    return { start, text: own.map(({ text }) => text).join(' ') };
  });
}

/**
 * Adds titles.
 * @param stems of the whole recording
 */
function titled(parts: readonly Part[], stems: readonly string[]): ProposedChapter[] {
  const total = countsOf(stems);
  const used = new Set<string>();
  return parts.map(({ start, text }) => {
    const chosen = ownSubjects(text, total)
      .filter((phrase) => !used.has(phrase))
      .slice(0, TITLE_PHRASES);
    for (const phrase of chosen) used.add(phrase);
    const title = chosen.join(', ') || clip(chooseSentences([text], TITLE_LENGTH, null).text, TITLE_LENGTH);
    return { start, title: capitalised(title) };
  });
}

/**
 * Returns the subjects of a part that are rare in the rest, best first: phrases, then words that are in none of them.
 */
function ownSubjects(text: string, total: ReadonlyMap<string, number>): string[] {
  const { phrases, subjects } = extractKeywords(
    [{ kind: 'transcript', text, weight: 1 }],
    detectLanguage(text) === 'other',
  );
  const here = countsOf(contentStems(text));
  const isOwn = (phrase: string): boolean =>
    contentStems(phrase).some((key) => 2 * (here.get(key) ?? 0) > (total.get(key) ?? 0));
  const own = phrases.filter(isOwn);
  const inPhrases = new Set(own.flatMap(contentStems));
  return [...own, ...subjects.filter((word) => isOwn(word) && !contentStems(word).some((key) => inPhrases.has(key)))];
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
