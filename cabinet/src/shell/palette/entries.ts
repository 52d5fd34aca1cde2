/** Entries of the palette, and the search among them. */

export interface Entry {
  id: string;
  /** Text that is searched in addition to the detail. */
  text: string;
  /** The project or site that it belongs to. */
  detail: string;
}

/** Maximum number of results: nobody reads more, and another letter narrows the search. */
export const SHOWN = 12;

/**
 * Returns entries in which every word of the query begins a word, or is contained in an id; those whose own text begins
 * with the query are first. An empty query returns all in their order.
 */
export function matchEntries<E extends Entry>(entries: readonly E[], query: string): E[] {
  const words = wordsOf(query);
  const matching = entries.filter((entry) => words.every((word) => isIn(entry, word)));
  const begins = ({ text }: E): number => Number(!text.toLowerCase().startsWith(query.trim().toLowerCase()));
  return matching.toSorted((one, other) => begins(one) - begins(other)).slice(0, SHOWN);
}

/** Returns true if the API's search would find an item by the text: its id begins with it, or its title has every word. */
export function isItemFound({ id, title }: { id: string; title: string | null }, text: string): boolean {
  return id.startsWith(text) || (title !== null && wordsOf(text).every((word) => title.toLowerCase().includes(word)));
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean);
}

function isIn({ text, detail }: Entry, word: string): boolean {
  const said = `${text} ${detail}`.toLowerCase();
  return said.startsWith(word) || said.includes(` ${word}`) || detail.toLowerCase().includes(word);
}
