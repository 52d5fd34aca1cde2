/** The figures of pictures and videos. */
import { readingErrors } from './compare.ts';
import { figuresOf, type Figures, type Judged } from './figures.ts';
import { safetyOf, type MediaContents } from './media.ts';
import type { Sample } from './samples.ts';

export interface JudgedMedia {
  judged: Judged;
  seen: MediaContents;
}

/** The figures of texts that are meaningful for media. */
const TEXT_FIGURES = [
  'tags: precision',
  'tags: recall',
  'topics: precision',
  'topics: recall',
  'OCR: character error rate',
] as const;
/** Cues are stored to a hundredth of a second. */
const CUE_SEC = 0.01;

export function mediaFiguresOf(all: readonly JudgedMedia[]): Figures {
  const ofTexts = figuresOf(all.map(({ judged }) => judged));
  const heard = all.flatMap(({ judged: { sample }, seen }) => (sample.video?.subtitles ? [heardOf(sample, seen)] : []));
  const wordless = all.filter(({ judged: { sample } }) => sample.expect.ocr === '');
  const judgedSafety = all.filter(({ judged: { sample } }) => sample.expect.safety !== undefined);
  return {
    ...Object.fromEntries(TEXT_FIGURES.map((name) => [name, ofTexts[name] ?? null])),
    'media without words in which none were read': share(
      wordless.filter(({ judged }) => judged.answer.ocr === '').length,
      wordless.length,
    ),
    'safety judged correctly': share(judgedSafety.filter(isSafetyRight).length, judgedSafety.length),
    'subtitles: character error rate': share(
      heard.reduce((sum, { edits }) => sum + edits, 0),
      heard.reduce((sum, { characters }) => sum + characters, 0),
    ),
    'cues with their own times': share(
      heard.reduce((sum, { kept }) => sum + kept, 0),
      heard.reduce((sum, { cues }) => sum + cues, 0),
    ),
  };
}

function isSafetyRight({ judged: { sample }, seen }: JudgedMedia): boolean {
  const safety = safetyOf(seen);
  return Object.entries(sample.expect.safety ?? {}).every(([category, level]) => safety[category] === level);
}

function heardOf({ video }: Sample, { transcript }: MediaContents) {
  const cues = video?.subtitles ?? [];
  const segments = transcript?.segments ?? [];
  const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= CUE_SEC;
  const kept = cues.filter((cue) => segments.some((one) => isNear(one.start, cue.start) && isNear(one.end, cue.end)));
  const spoken = cues.map(({ text }) => text).join(' ');
  return { ...readingErrors(transcript?.text ?? '', spoken), cues: cues.length, kept: kept.length };
}

function share(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}
