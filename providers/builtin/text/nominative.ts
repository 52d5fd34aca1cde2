/** Phrases of two words in the form in which they name a thing. */
import { dictionaryForm } from './dictionary.ts';
import { foldWord, scriptOf } from './words.ts';

/** After these an ending is written as if it were soft: «общий», «общее», but «большая». */
const HUSHING = /[жшщч]$/;
const FEMININE = /[ая]$/;
const NEUTER = /(?:[оеё]|мя)$/;

/**
 * «машинного обучения» → «машинное обучение», «корпусу новостей» → «корпус новостей»; a phrase whose words no
 * dictionary has, or that is not Russian, stays as it is.
 */
export function nominative(phrase: string): string {
  const [first = '', second = ''] = phrase.split(' ');
  if (scriptOf(foldWord(first)) !== 'cyrillic') return phrase;
  const [leading, trailing] = [dictionaryForm(foldWord(first)), dictionaryForm(foldWord(second))];
  if (leading?.kind === 'noun') return `${leading.base} ${second}`;
  if (leading?.kind !== 'adjective' || trailing?.kind !== 'noun') return phrase;
  return `${agreed(leading.base, trailing.base)} ${trailing.base}`;
}

/** A masculine adjective in the gender of a noun, told by its ending: «новый» + «книга» → «новая». */
function agreed(adjective: string, noun: string): string {
  const ending = /(?:ый|ий|ой)$/.exec(adjective)?.[0];
  if (ending === undefined) return adjective;
  const stem = adjective.slice(0, -2);
  const isSoft = ending === 'ий' && !/[гкхжшщч]$/.test(stem);
  if (FEMININE.test(noun) && !noun.endsWith('мя')) return stem + (isSoft ? 'яя' : 'ая');
  if (NEUTER.test(noun)) return stem + (isSoft || (HUSHING.test(stem) && ending === 'ий') ? 'ее' : 'ое');
  return adjective;
}
