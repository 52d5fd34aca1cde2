/** Topics, tags and interests as they are compared: by the stems of their words. */
import { stem } from '../providers/builtin/text/stem.ts';
import { splitWords } from '../providers/builtin/text/words.ts';

/** "Рецепты супов" and "рецепт супа" are one. Empty for what has no word. */
function interestKey(text: string): string {
  return splitWords(text)
    .map(({ folded }) => stem(folded))
    .join(' ');
}

/** The keys of several, each once. */
export function interestKeys(texts: readonly string[]): string[] {
  return [...new Set(texts.map(interestKey).filter((key) => key !== ''))];
}
