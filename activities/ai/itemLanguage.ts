/** Determines the language of an item, before all of its media have been processed. */
import type pg from 'pg';
import { readItemLanguage, readLanguageEvidence } from '../../db/analysis/language.ts';
import type { ItemRef } from '../../db/items/writeItems.ts';
import { DEFAULT_LANGUAGE } from '../../domain/analysis/languageSettings.ts';
import { detectLanguage, isDetectable, knownLanguage, languageOfWords } from '../../providers/builtin/text/language.ts';
import type { Transcript, VisionInput } from '../../providers/types.ts';

/**
 * Returns the language that speech recognition is told, as ISO 639-1: the project's, unless the item's own texts are in
 * another one. A recogniser with the wrong language translates or invents, and it recognises most languages by their
 * sound. A text alone is therefore no reason to tell it one: a Russian title may announce an English talk.
 */
export async function languageToHear(pool: pg.Pool, ref: ItemRef): Promise<string | null> {
  const item = await readItemLanguage(pool, ref);
  if (!item?.wanted) return null;
  const own = detectLanguage(item.text);
  const isOther = own === 'other' ? isDetectable(item.wanted) : own !== null && own !== item.wanted;
  return isOther ? null : item.wanted;
}

/**
 * Returns the language of a transcript: that of its words, else the one that the recogniser found. Some recognisers
 * state none; words in neither Russian nor English are then in the language that the recogniser was told. Null without
 * words and if none is known.
 * @param told the result of `languageToHear`
 */
export function languageHeard(
  { text, language }: Pick<Transcript, 'text' | 'language'>,
  told: string | null,
): string | null {
  const found = languageOfWords(text, language);
  return found ?? (detectLanguage(text) === 'other' ? languageOfWords(text, told) : null);
}

/**
 * Returns the language in which pictures are described: the project's, else that of the item's own texts, transcripts
 * and texts in pictures, as far as these are there. Otherwise it is that of the texts in the pictures at hand, and for
 * pictures without any, that of most of the project's items.
 */
export async function languageToDescribe(
  pool: pg.Pool,
  ref: ItemRef,
): Promise<Pick<VisionInput, 'language' | 'fallback'>> {
  const item = await readItemLanguage(pool, ref);
  const own = item && (item.wanted ?? knownLanguage(item.text));
  if (!item || own) return { language: own };
  const { heard, seen, usual } = await readLanguageEvidence(pool, ref);
  const isForeign = detectLanguage(item.text) === 'other';
  return {
    language: knownLanguage(heard) ?? knownLanguage(seen),
    fallback: (isForeign ? null : usual) ?? languageOfScript(item.text),
  };
}

/** A word in Latin letters, not the name that a camera gives: IMG, DSC and DSCN are shorter or have no vowel. */
const LATIN_WORD = /(?=\p{L}*[aeiouy])\p{Script=Latin}{4,}/iu;
const CYRILLIC = /\p{Script=Cyrillic}/u;

/** Returns English for Latin words alone ("Nike Air Max"), which are no reason for a description in Russian. */
function languageOfScript(text: string): string {
  return LATIN_WORD.test(text) && !CYRILLIC.test(text) ? 'en' : DEFAULT_LANGUAGE;
}
