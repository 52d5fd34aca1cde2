/** Cuts of texts at a number of UTF-16 units. Half of a surrogate pair is refused by PostgreSQL and by providers. */

/**
 * Returns the beginning of a text, at most so many units of it and no half of a character at its end. Other lone
 * surrogates become U+FFFD.
 */
export function cutText(text: string, mostUnits: number): string {
  const kept = text.length <= mostUnits ? text : text.slice(0, wholeCharactersEnd(text, mostUnits));
  return kept.toWellFormed();
}

/** Returns the place itself, or the one before it if a surrogate pair would be split there. */
export function wholeCharactersEnd(text: string, place: number): number {
  const unit = text.charCodeAt(place - 1);
  return unit >= 0xd800 && unit <= 0xdbff ? place - 1 : place;
}
