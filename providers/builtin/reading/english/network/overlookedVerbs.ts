/**
 * Finds verbs that the tagger takes for nouns or adjectives: instructions ("Hire shoes that fit") and verbs after a
 * noun ("A puppy pulls because …"). For these the tagger scores the right tag almost as high.
 */

/** Where the position of a word suggests a verb, the verb's tag may score lower than the best tag by this much. */
const MAX_LOSS_AT_START = 5;
const MAX_LOSS_AFTER_NOUN = 2.5;
/** The same in a sentence that would have no verb at all. */
const MAX_LOSS_WITHOUT_VERB = 4.5;

const FINITE = /^(?:VB[DPZ]?|MD)$/;
/** An instruction goes on with its object or its manner: not with a verb, "and", a colon, or a hyphen. */
const NO_OBJECT = /^(?:VB[DPZ]?|MD|CC|HYPH|POS|[.:,])$/;
const IN_PHRASE = /^(?:NN|JJ|CD|VBG|HYPH)/;

export interface Tagged {
  tokens: readonly { text: string; sentence: number }[];
  /** The best tag of each word. */
  tags: readonly string[];
  /** Returns how much the score of a tag is below that of the best one. */
  lossOf(word: number, tag: string): number;
  /** Whether a word in lower case is the dictionary form of a verb. */
  isVerb(word: string): boolean;
}

/** Returns the tags, with those of overlooked verbs changed. */
export function withOverlookedVerbs(tagged: Tagged): string[] {
  const { tokens } = tagged;
  const tags = [...tagged.tags];
  for (let from = 0, to = 0; from < tokens.length; from = to) {
    while (to < tokens.length && tokens[to]?.sentence === tokens[from]?.sentence) to += 1;
    if (isImperative(tagged, tags, from, to)) tags[from] = 'VB';
    const maxLoss = hasVerb(tags, from, to) ? MAX_LOSS_AFTER_NOUN : MAX_LOSS_WITHOUT_VERB;
    for (let at = from + 1; at < to - 2; at += 1) {
      const verb = verbAfterNoun(tagged, tags, at, maxLoss);
      if (verb !== null) tags[at] = verb;
    }
  }
  return tags;
}

function hasVerb(tags: readonly string[], from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if (FINITE.test(tags[at] ?? '')) return true;
  return false;
}

function isImperative({ tokens, lossOf, isVerb }: Tagged, tags: readonly string[], from: number, to: number): boolean {
  if (!/^(?:NN|NNP|JJ)$/.test(tags[from] ?? '') || to - from < 3 || NO_OBJECT.test(tags[from + 1] ?? '')) return false;
  let after = from + 1;
  while (after < to && IN_PHRASE.test(tags[after] ?? '')) after += 1;
  // In "Water pumps are loud" the nouns are the subject.
  if (FINITE.test(tags[after] ?? '')) return false;
  if (!/^[.!]$/.test(tokens[to - 1]?.text ?? '') || !isVerb(tokens[from]?.text.toLowerCase() ?? '')) return false;
  return Math.min(lossOf(from, 'VB'), lossOf(from, 'VBP')) <= MAX_LOSS_AT_START;
}

/** @returns its tag, or null */
function verbAfterNoun(
  { tokens, lossOf, isVerb }: Tagged,
  tags: readonly string[],
  at: number,
  maxLoss: number,
): 'VBZ' | 'VBP' | null {
  if (!/^NNS?$/.test(tags[at - 1] ?? '') || FINITE.test(tags[at + 1] ?? '')) return null;
  if (tags[at] === 'NNS') return lossOf(at, 'VBZ') <= maxLoss ? 'VBZ' : null;
  if (tags[at] !== 'NN' || !isVerb(tokens[at]?.text ?? '')) return null;
  return Math.min(lossOf(at, 'VB'), lossOf(at, 'VBP')) <= Math.min(maxLoss, MAX_LOSS_AFTER_NOUN) ? 'VBP' : null;
}
