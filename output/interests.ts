/** Topics, tags and interests as they are compared: by what they mean, whatever their form and the order of their words. */
import { namedTopicOf } from '../dictionaries/interests.ts';
import { foldText, stemKey } from '../dictionaries/words.ts';

/** No stem begins with it. */
const TOPIC = '#';
/** Texts whose keys are remembered: the same tags come again and again, and each key is then one text in memory. */
const REMEMBERED = 50_000;

const keys = new Map<string, string>();

/**
 * "Рецепты супов" and "супа рецепт" are one, and so are a name and a synonym of a topic of the dictionary. A topic that
 * is only mentioned in a longer text does not count: who wants no "детское кино" may well want other films.
 */
function interestKey(text: string): string {
  const known = keys.get(text);
  if (known !== undefined) return known;
  const topic = namedTopicOf(text);
  const key = topic ? TOPIC + topic.id : stemKey(text) || foldText(text);
  if (keys.size >= REMEMBERED) keys.clear();
  keys.set(text, key);
  return key;
}

/** The keys of several, each once. */
export function interestKeys(texts: readonly string[]): string[] {
  return [...new Set(texts.map(interestKey).filter((key) => key !== ''))];
}
