/** Recognises answers in a language other than the one that was asked for. */
import { languageName } from '../../../domain/analysis/languageSettings.ts';
import { detectLanguage, isDetectable } from '../../builtin/text/detectLanguage.ts';

/** The warning about an answer in another language, even after a correction. */
export const WRONG_LANGUAGE = 'wrong_language';

/** Texts with fewer letters may consist of names, which show no language. */
const ENOUGH_LETTERS = /^(?:\P{L}*\p{L}){40}/u;
/** The script of the languages that the detector names. */
const SCRIPTS = { ru: 'Cyrl', en: 'Latn' } as const;

export type LanguageVerdict = 'right' | 'wrong' | 'unknown';

/**
 * Judges whether an answer is in a language. Only Russian and English are recognised, so an answer in a third language
 * is known to be wrong only by its script.
 * @param wanted ISO 639-1 code; null: any
 */
export function judgeLanguage(wanted: string | null, prose: readonly (string | null)[]): LanguageVerdict {
  const text = prose.join('\n');
  if (wanted === null || !ENOUGH_LETTERS.test(text)) return 'unknown';
  const detected = detectLanguage(text);
  if (detected === null) return 'unknown';
  if (isDetectable(wanted)) return detected === wanted ? 'right' : 'wrong';
  if (detected === 'other') return 'right';
  return new Intl.Locale(wanted).maximize().script === SCRIPTS[detected] ? 'unknown' : 'wrong';
}

/** Returns true if a corrected answer is not in another language and has not lost half of its texts. */
export function isUsableCorrection(
  wanted: string | null,
  before: readonly (string | null)[],
  after: readonly (string | null)[],
): boolean {
  // Texts are counted, not characters: Chinese needs a third as many as English.
  const isWhole = after.length >= before.length && countWritten(after) >= countWritten(before) / 2;
  return isWhole && countWritten(after) > 0 && judgeLanguage(wanted, after) !== 'wrong';
}

function countWritten(prose: readonly (string | null)[]): number {
  return prose.filter((text) => text?.trim()).length;
}

/** Returns the fault of an answer in another language, for its correction. */
export function languageProblem(wanted: string): string {
  const name = languageName(wanted);
  return `it is not in ${name}; write all of it in ${name}, whatever the language of the material`;
}

/** After this many items whose correction was useless, answers are kept as they are. */
const USELESS_ITEMS = 2;
/** After this many more answers, one is corrected again: the server may have another model. */
const TRIED_AGAIN_AFTER = 100;

/** Decides whether a correction is worth its cost: a model that does not know a language never writes in it. */
export interface Corrections {
  isWorthwhile(language: string): boolean;
  /** The model knows the language, so the items are to blame for answers in another one. */
  succeeded(language: string): void;
  /** @param item key of the item; undefined: nothing is learned */
  failed(language: string, item: string | undefined): void;
}

export function createCorrections(): Corrections {
  const useless = new Map<string, { items: Set<string>; kept: number }>();
  return {
    isWorthwhile(language) {
      const known = useless.get(language);
      if (!known || known.items.size < USELESS_ITEMS) return true;
      known.kept = (known.kept + 1) % (TRIED_AGAIN_AFTER + 1);
      return known.kept === 0;
    },
    succeeded(language) {
      useless.delete(language);
    },
    failed(language, item) {
      if (item === undefined) return;
      const known = useless.get(language) ?? { items: new Set(), kept: 0 };
      useless.set(language, known);
      known.items.add(item);
    },
  };
}
