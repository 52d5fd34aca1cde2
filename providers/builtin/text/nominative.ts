/** Two-word phrases in their dictionary form. */
import { dictionaryForm } from './dictionary.ts';
import { foldWord, scriptOf } from './words.ts';

/** After these letters an ending is written as if it were soft: «общий», «общее», but «большая». */
const HUSHING = /[жшщч]$/;
const FEMININE = /[ая]$/;
const NEUTER = /(?:[оеё]|мя)$/;

/**
 * Converts a phrase: «машинного обучения» → «машинное обучение»; a phrase that is not Russian is returned unchanged.
 * @returns null for Russian words that are not an adjective and a noun, whose dependency is unknown here
 */
export function nominative(phrase: string): string | null {
  const [first = '', second = ''] = phrase.split(' ');
  if (scriptOf(foldWord(first)) !== 'cyrillic') return phrase;
  const [leading, trailing] = [dictionaryForm(foldWord(first)), dictionaryForm(foldWord(second))];
  if (leading?.kind !== 'adjective' || trailing?.kind !== 'noun') return null;
  return `${agreed(leading.base, trailing.base)} ${trailing.base}`;
}

/** Returns a masculine adjective in the gender of a noun, recognised by its ending: «новый» + «книга» → «новая». */
function agreed(adjective: string, noun: string): string {
  const ending = /(?:ый|ий|ой)$/.exec(adjective)?.[0];
  if (ending === undefined) return adjective;
  const stem = adjective.slice(0, -2);
  const isSoft = ending === 'ий' && !/[гкхжшщч]$/.test(stem);
  if (FEMININE.test(noun) && !noun.endsWith('мя')) return stem + (isSoft ? 'яя' : 'ая');
  if (NEUTER.test(noun)) return stem + (isSoft || (HUSHING.test(stem) && ending === 'ий') ? 'ее' : 'ое');
  return adjective;
}
