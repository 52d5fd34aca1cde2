/**
 * Topics, tags and interests in the form in which they are compared: by meaning, whatever their form and word order.
 */
import { namedTopicOf, topics } from '../domain/dictionaries/interests.ts';
import { foldText, stemKey } from '../domain/dictionaries/stems.ts';

/** Prefix of the keys of topics; no stem begins with it. */
const TOPIC = '#';
/**
 * Maximum number of texts whose keys are cached: the same tags are seen over and over, and a cached key is one string
 * in memory.
 */
const REMEMBERED = 50_000;

const keys = new Map<string, string>();

/**
 * Returns the key of a text. "Рецепты супов" and "супа рецепт" have the same key, and so have a name and a synonym of a
 * topic of the dictionary. A topic that is only mentioned in a longer text does not count: a person who rejects
 * "детское кино" may well want other films.
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

/** The key of each topic that is part of a wider one → the key of the wider one. */
const WIDER: ReadonlyMap<string, string> = new Map(
  [...topics.values()].flatMap(({ id, parent }) => (parent === undefined ? [] : [[TOPIC + id, TOPIC + parent]])),
);

/**
 * Returns the distinct keys of what an item is about. An item on a topic is also on the wider topic that contains it,
 * so a person's "Автомобили" finds an item on "Внедорожники", but not the other way round.
 */
export function itemInterestKeys(texts: readonly string[]): string[] {
  const own = interestKeys(texts);
  return [...new Set([...own, ...own.flatMap((key) => WIDER.get(key) ?? [])])];
}

/** Returns the distinct keys of several texts, as a person wrote them. */
export function interestKeys(texts: readonly string[]): string[] {
  return [...new Set(texts.map(interestKey).filter((key) => key !== ''))];
}
