/** Cuts texts to a number of UTF-16 units. PostgreSQL and providers refuse half of a surrogate pair. */

/**
 * Returns at most the first `mostUnits` units of a text, never ending in half a character. Other lone surrogates become
 * U+FFFD.
 */
export function cutText(text: string, mostUnits: number): string {
  const kept = text.length <= mostUnits ? text : text.slice(0, wholeCharactersEnd(text, mostUnits));
  return kept.toWellFormed();
}

/** Returns the index itself, or the one before it if a surrogate pair would be split there. */
export function wholeCharactersEnd(text: string, index: number): number {
  const unit = text.charCodeAt(index - 1);
  return unit >= 0xd800 && unit <= 0xdbff ? index - 1 : index;
}

/** Returns a copy of a part of a text. V8 keeps the whole text in memory for as long as a part of it is kept. */
export function copyOfPart(part: string): string {
  return Buffer.from(part, 'utf16le').toString('utf16le');
}
