/** Divides a text in Russian and English into stretches of one language, each for its own reader. */
import { detectLanguage } from '../text/language.ts';
import { isMostlyCyrillic } from '../text/script.ts';
import { splitSentences } from '../text/sentences.ts';
import type { ReadLanguage } from './folders.ts';

export interface Stretch {
  /** Offset in the text, in UTF-16 code units. */
  start: number;
  text: string;
  /** Null if no reader knows the language. */
  language: ReadLanguage | null;
}

/** Least share of the letters that are in the other alphabet; with fewer, there are only names and terms. */
const MIN_SHARE = 0.1;

/**
 * Returns the stretches in order, or the whole text if it is in one language.
 * @param main language of most of the text
 * @param languages of the readers
 */
export function stretchesOf(text: string, main: ReadLanguage, languages: readonly ReadLanguage[]): Stretch[] {
  const whole = [{ start: 0, text, language: main }];
  if (languages.length < 2 || !isMixed(text)) return whole;
  const sentences = splitSentences(text);
  const starts: { start: number; isCyrillic: boolean }[] = [];
  for (const sentence of sentences) {
    const isCyrillic = isMostlyCyrillic(sentence.text);
    if (isCyrillic !== null && isCyrillic !== starts.at(-1)?.isCyrillic)
      starts.push({ start: starts.length === 0 ? 0 : sentence.start, isCyrillic });
  }
  if (starts.length < 2) return whole;
  return starts.map(({ start, isCyrillic }, index) => {
    const own = text.slice(start, starts[index + 1]?.start);
    return { start, text: own, language: languageOf(own, isCyrillic, main) };
  });
}

/** Latin letters within a Russian text may be commands or brands, which its own reader passes over. */
function languageOf(text: string, isCyrillic: boolean, main: ReadLanguage): ReadLanguage | null {
  const detected = detectLanguage(text);
  if (isCyrillic) return detected === 'other' ? null : 'ru';
  return detected === 'en' ? 'en' : main;
}

function isMixed(text: string): boolean {
  const cyrillic = text.match(/\p{Script=Cyrillic}/gu)?.length ?? 0;
  const latin = text.match(/\p{Script=Latin}/gu)?.length ?? 0;
  return Math.min(cyrillic, latin) >= MIN_SHARE * (cyrillic + latin);
}
