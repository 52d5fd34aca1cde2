/** A Russian sentence may consist mostly of names in Latin letters; English ones have hardly any Cyrillic. */
const MIN_CYRILLIC = 0.2;

/** Returns whether a sentence is written in Cyrillic rather than Latin letters; null if it has neither. */
export function isMostlyCyrillic(sentence: string): boolean | null {
  const cyrillic = sentence.match(/\p{Script=Cyrillic}/gu)?.length ?? 0;
  const latin = sentence.match(/\p{Script=Latin}/gu)?.length ?? 0;
  return cyrillic + latin === 0 ? null : cyrillic >= MIN_CYRILLIC * (cyrillic + latin);
}
