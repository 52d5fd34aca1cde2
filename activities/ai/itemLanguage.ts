/** Determines the language of an item, before all of its media have been processed. */
import type pg from 'pg';
import { readItemLanguage, readLanguageEvidence, type NeighbourLanguage } from '../../db/analysis/languageEvidence.ts';
import { cutText } from '../../domain/cutText.ts';
import type { ItemRef } from '../../domain/items/item.ts';
import { plainTexts, type OwnTexts } from '../../domain/items/plainText.ts';
import { DEFAULT_LANGUAGE, isLanguageCode } from '../../domain/analysis/languageSettings.ts';
import {
  detectLanguage,
  isDetectable,
  knownLanguage,
  languageOfWords,
} from '../../providers/builtin/text/detectLanguage.ts';
import type { DescriptionLanguage, Transcript } from '../../providers/types.ts';

/**
 * Returns the language that speech recognition is told, as ISO 639-1: the project's, or null if the item's own texts
 * are in another one. If these do not show their language, the own texts of most of the project's items decide instead.
 * Transcripts do not count: they are in the language that the recogniser was told, whatever was said. A recogniser that
 * is told the wrong language translates or hallucinates; one that is told none recognises most languages by their
 * sound. A text alone is therefore no reason to tell it a language: a Russian title may announce an English talk.
 */
export async function recognitionLanguage(pool: pg.Pool, ref: ItemRef): Promise<string | null> {
  const item = await readItemLanguage(pool, ref);
  if (!item?.wanted) return null;
  const own = detectLanguage(ownWords(item.own));
  if (own === 'other') return isDetectable(item.wanted) ? null : item.wanted;
  const likely = own ?? usualLanguage((await readLanguageEvidence(pool, ref)).neighbours.map(withoutSpeech));
  return likely === null || likely === item.wanted ? item.wanted : null;
}

/**
 * Returns the language of a transcript: that of its words, or else the one that the recogniser found. Some recognisers
 * report none; words in neither Russian nor English are then in the language that the recogniser was told. Null if
 * there are no words, or if no language is known.
 * @param requested the result of `recognitionLanguage`
 */
export function transcriptLanguage(
  { text, language }: Pick<Transcript, 'text' | 'language'>,
  requested: string | null,
): string | null {
  const found = languageOfWords(text, language);
  return found ?? (detectLanguage(text) === 'other' ? languageOfWords(text, requested) : null);
}

/**
 * Returns the language in which pictures are described: the project's, or else the first that the item shows in its own
 * texts, its transcripts or the texts already read in its pictures. Words in a third language are returned as a sample,
 * because only a model can tell which one it is. If the item shows no language, the model uses that of the texts in the
 * pictures that it describes, and the fallback for pictures without texts: that of most of the project's items.
 */
export async function descriptionLanguage(pool: pg.Pool, ref: ItemRef): Promise<DescriptionLanguage> {
  const item = await readItemLanguage(pool, ref);
  if (!item) return { language: null };
  if (item.wanted !== null) return { language: item.wanted };
  const words = ownWords(item.own);
  const own = detectLanguage(words);
  if (own === 'other') return likeSample(words);
  if (own !== null) return { language: own };
  const { heard, seen, neighbours } = await readLanguageEvidence(pool, ref);
  const spoken = detectLanguage(heard);
  if (spoken === 'other') return likeSample(heard);
  // Words read in pictures are not always text, so they are no sample.
  return { language: spoken ?? knownLanguage(seen), fallback: usualLanguage(neighbours) ?? languageOfScript(words) };
}

/**
 * Characters of a sample: two or three sentences show a language. The prompt with the sample also asks about the safety
 * of the pictures, so strangers should have little room in it.
 */
const SAMPLE_CHARACTERS = 200;

function likeSample(words: string): DescriptionLanguage {
  const languageSample = cutText(words.trim(), SAMPLE_CHARACTERS).trim();
  return { language: null, fallback: languageOfScript(words), languageSample };
}

/**
 * Returns the language of an item before anything is known about its media, as ISO 639-1: that of its own texts, or
 * else the project's; null if there is neither.
 */
export async function languageOfItsTexts(pool: pg.Pool, ref: ItemRef): Promise<string | null> {
  const item = await readItemLanguage(pool, ref);
  return item && (knownLanguage(ownWords(item.own)) ?? item.wanted);
}

function withoutSpeech(neighbour: NeighbourLanguage): NeighbourLanguage {
  return { ...neighbour, heard: '' };
}

/** Fewer items say nothing about a catalogue: the first one may be hostile. */
const LEAST_ITEMS = 3;

/**
 * Returns the language of more than half of the items whose language is known, as ISO 639-1; null if there is none, or
 * if fewer than three items are in it. An item's own words decide. The language that the summariser stated counts only
 * for words in neither Russian nor English, because an item may tell the summariser what to say.
 */
export function usualLanguage(items: readonly NeighbourLanguage[]): string | null {
  const counts = new Map<string, number>();
  for (const item of items) {
    const language = languageOfNeighbour(item);
    if (language !== null) counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  const known = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const most = [...counts].find(([, count]) => count > known / 2);
  return most && most[1] >= LEAST_ITEMS ? most[0] : null;
}

function languageOfNeighbour({ own, heard, stated }: NeighbourLanguage): string | null {
  const detected = detectLanguage(ownWords(own, READ_CHARACTERS.neighbour)) ?? detectLanguage(heard);
  if (detected !== 'other') return detected;
  return stated !== null && isLanguageCode(stated) && !isDetectable(stated) ? stated : null;
}

/**
 * The texts of an item. Descriptions of its pictures are left out, because their language is ours and not the item's.
 */
interface ItemTexts extends OwnTexts {
  transcripts: readonly { text: string }[];
  frames: readonly { ocrText: string | null }[];
}

/**
 * Returns the language in which an analysed item is summarised if the project wants none: that of its own texts, as for
 * its pictures, else of what is said and written in its media; null if they do not show it.
 * @param texts with the own texts as they were sent
 */
export function languageOfItem(texts: ItemTexts): 'ru' | 'en' | null {
  const own = detectLanguage(ownWords(texts));
  if (own !== null) return own === 'other' ? null : own;
  const heard = texts.transcripts.map(({ text }) => text);
  const seen = texts.frames.map(({ ocrText }) => ocrText);
  return (
    knownLanguage(beginnings(heard, READ_CHARACTERS.heard)) ?? knownLanguage(beginnings(seen, READ_CHARACTERS.seen))
  );
}

/** Characters of each text that count; a few pages show the language. */
const READ_CHARACTERS = { own: 2_000, neighbour: 300, heard: 2_000, seen: 500 } as const;

/**
 * Returns the beginning of an item's own texts as its readers see them, which decides their language: the names and
 * addresses in markup are English in any text.
 */
function ownWords(own: OwnTexts, characters: number = READ_CHARACTERS.own): string {
  const { title, description, body } = plainTexts(own);
  return beginnings([title, description, body], characters);
}

function beginnings(texts: readonly (string | null)[], characters: number): string {
  return texts.map((text) => text?.trimStart().slice(0, characters) ?? '').join('\n');
}

/** A word in Latin letters, not the name that a camera gives: IMG, DSC and DSCN are shorter or have no vowel. */
const LATIN_WORD = /(?=\p{L}*[aeiouy])\p{Script=Latin}{4,}/iu;
const CYRILLIC = /\p{Script=Cyrillic}/u;

/** Returns English for Latin words alone ("Nike Air Max"), which are no reason for a description in Russian. */
function languageOfScript(text: string): string {
  return LATIN_WORD.test(text) && !CYRILLIC.test(text) ? 'en' : DEFAULT_LANGUAGE;
}
