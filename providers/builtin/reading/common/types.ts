/** A text as a reader of its language analyses it: its words in context, and the names in it. */

export type NameType = 'person' | 'organization' | 'place';

/** A word or a punctuation mark. */
export interface TaggedWord {
  /** As written. */
  text: string;
  /** Offsets in the text, in UTF-16 code units. */
  start: number;
  end: number;
  /** Part of speech of Universal Dependencies: NOUN, PROPN, ADJ, VERB, ADP, … */
  pos: string;
  /** Its morphology in the same scheme, such as Case: Gen; empty where it is unknown. */
  features: Readonly<Record<string, string>>;
  /** Number of its sentence in the text, from 0. */
  sentence: number;
}

/** A name by the places of its first word and of the word after its last. */
export interface NameSpan {
  type: NameType;
  from: number;
  to: number;
}

export interface TaggedText {
  words: readonly TaggedWord[];
  names: readonly NameSpan[];
}

/** A noun phrase and its place. */
export interface Phrase {
  /** In its dictionary form: «торможение двигателем», "engine braking". */
  text: string;
  /** Dictionary forms of its nouns and adjectives, in order. */
  lemmas: readonly string[];
  /** Offset in the text, in UTF-16 code units. */
  start: number;
  /** Mean rarity of its words: the rarity of a word is the base-10 logarithm of N if it is one word in N. */
  rarity: number;
  /** Similarity of its words to those of the text around it, from -1 to 1; null if unknown. */
  relevance: number | null;
  /**
   * Whether its words may be together by chance, as in «тёплая вода». Such a phrase is credible only if it occurs twice
   * in a text, or in its title.
   */
  isLoose: boolean;
}

export interface Name {
  type: NameType;
  /** In its dictionary form: «Анна Иванова». */
  name: string;
  /** Offset in the text, in UTF-16 code units. */
  start: number;
}

/** The findings of a reader in a text. */
export interface Findings {
  phrases: readonly Phrase[];
  names: readonly Name[];
}

export interface Reader {
  /** Reads a text; a thousand characters take a few milliseconds. */
  read(text: string): Findings;
}
