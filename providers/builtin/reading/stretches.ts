/** Divides a text in Russian and English into stretches of one language, each for its own reader. */
import { detectLanguage } from '../text/detectLanguage.ts';
import { isMostlyCyrillic } from '../text/script.ts';
import { splitSentences } from '../text/sentences.ts';
import { cutAt, startsApart } from './cuts.ts';
import type { ReaderLanguage } from './folders.ts';

export interface Stretch {
  /** Offset in the text, in UTF-16 code units. */
  start: number;
  text: string;
  /** Null if no reader knows the language. */
  language: ReaderLanguage | null;
}

/** Least share of the letters that are in the other alphabet; with fewer, there are only names and terms. */
const MIN_SHARE = 0.1;
/** Up to this number of stretches, all are kept, however short they are, as in a notice in two languages. */
const FEW = 20;
/**
 * Minimum number of characters of a stretch if there are more, as in a phrase book: a reader needs some context, and
 * each stretch takes time.
 */
const MIN_LENGTH = 200;

/**
 * Returns the stretches in order, or the whole text if it is in one language.
 * @param main language of most of the text
 * @param languages of the readers
 */
export function stretchesOf(text: string, main: ReaderLanguage, languages: readonly ReaderLanguage[]): Stretch[] {
  const whole = [{ start: 0, text, language: main }];
  if (languages.length < 2 || !isMixed(text)) return whole;
  const sentences = splitSentences(text);
  const starts: number[] = [];
  let wasCyrillic: boolean | null = null;
  for (const sentence of sentences) {
    const isCyrillic = isMostlyCyrillic(sentence.text);
    if (isCyrillic === null || isCyrillic === wasCyrillic) continue;
    starts.push(starts.length === 0 ? 0 : sentence.start);
    wasCyrillic = isCyrillic;
  }
  if (starts.length < 2) return whole;
  const parts = cutAt(text, starts.length > FEW ? startsApart(starts, MIN_LENGTH) : starts);
  return joined(parts.map((part) => ({ ...part, language: languageOf(part.text, main) })));
}

/** Joins successive stretches of one language. */
function joined(stretches: readonly Stretch[]): Stretch[] {
  const runs: Stretch[][] = [];
  for (const stretch of stretches) {
    const run = runs.at(-1);
    if (run?.[0]?.language === stretch.language) run.push(stretch);
    else runs.push([stretch]);
  }
  return runs.flatMap((run) => {
    const [first] = run;
    return first ? [{ ...first, text: run.map(({ text }) => text).join('') }] : [];
  });
}

/** Latin letters within a Russian text may be commands or brands, which its own reader passes over. */
function languageOf(text: string, main: ReaderLanguage): ReaderLanguage | null {
  const detected = detectLanguage(text);
  if (isMostlyCyrillic(text) ?? false) return detected === 'other' ? null : 'ru';
  return detected === 'en' ? 'en' : main;
}

function isMixed(text: string): boolean {
  const cyrillic = text.match(/\p{Script=Cyrillic}/gu)?.length ?? 0;
  const latin = text.match(/\p{Script=Latin}/gu)?.length ?? 0;
  return Math.min(cyrillic, latin) >= MIN_SHARE * (cyrillic + latin);
}
