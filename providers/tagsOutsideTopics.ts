import { foldText } from '../domain/dictionaries/stems.ts';

/**
 * Returns the tags that are not among the topics, each once and in its first spelling; case, spaces and ё do not count.
 */
export function tagsOutsideTopics(tags: readonly string[], topics: readonly string[]): string[] {
  const seen = new Set(topics.map(foldText));
  return tags.filter((tag) => {
    const folded = foldText(tag);
    const isNew = !seen.has(folded);
    seen.add(folded);
    return isNew;
  });
}
