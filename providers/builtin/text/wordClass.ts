/** Guesses word classes by endings for words without a dictionary form. */

/** Endings of verbs, adverbs and adjectives, which are seldom the subject of a text. Chosen to exclude nouns. */
const VERB =
  /(?:ться|тся|лся|лась|лось|лись|ывать|ивать|овать|нуть|ешь|ишь|ает|яет|ают|яют|ируют|ирует|ывал.?|ивал.?|ывает|ивает|ете|ите|ала|али|яла|яли|ило|или|ели|ился)$/;
const ADJECTIVE = /(?:ый|ий|ая|яя|ое|ее|ые|ие|ого|его|ому|ему|ыми|ими|ую|юю|ых|их)$/;
const NOUN_AFTER_ALL = /(?:ие|ий)$/;
const ENGLISH_MINOR = /(?:ly|ing|ed)$/;
/** Nouns with an adjective's ending, such as «обучение» and «сценарий». */
const NOUN_LIKE_ADJECTIVE = /(?:ние|тие|вие|рий|тий|дий|ний)$/;

/** Returns 1 for a possible noun, and less for forms that look like verbs, adjectives and adverbs. */
export function nounLikeness(form: string): number {
  const word = form.toLowerCase();
  if (VERB.test(word)) return 0.25;
  if (ADJECTIVE.test(word) && !(word.length > 6 && NOUN_LIKE_ADJECTIVE.test(word))) return 0.5;
  return ENGLISH_MINOR.test(word) ? 0.6 : 1;
}

/** Returns whether a word can end a phrase, which a noun does: «машинное обучение», not «обучение глубокое». */
export function canEndPhrase(folded: string): boolean {
  if (VERB.test(folded) || /(?:ly|ed)$/.test(folded)) return false;
  return !ADJECTIVE.test(folded) || NOUN_AFTER_ALL.test(folded);
}
