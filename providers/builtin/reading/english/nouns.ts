/**
 * Dictionary forms of English nouns, and the verbs, by the lists and rules of WordNet (Miller 1995) as spaCy keeps
 * them.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ENGLISH_FILES } from '../common/readerFiles.ts';
import { idOf } from './network/hashes.ts';
import { unpack, type Packed } from './network/msgpack.ts';

/** Nouns whose usual form is the plural. */
const PLURAL_ONLY = new Set(
  `headphones earphones earbuds scissors trousers jeans shorts leggings tights pyjamas pajamas glasses sunglasses goggles
  binoculars clothes goods groceries savings earnings roadworks headquarters series species news politics economics physics
  mathematics athletics gymnastics electronics logistics ethics outskirts premises remains stairs surroundings thanks basics data media`.split(
    /\s+/,
  ),
);

/** Returns the singular of a noun in lower case, or the plural if that is its usual form. */
export type SingularOf = (noun: string) => string;

export interface WordLists {
  singularOf: SingularOf;
  /** Whether a word in lower case is the dictionary form of a noun. */
  isKnownNoun(word: string): boolean;
  /** Whether a word in lower case is the dictionary form of a verb. */
  isVerb(word: string): boolean;
}

export function loadWordLists(folder: string): WordLists {
  const tables = unpack(readFileSync(join(folder, ENGLISH_FILES.nouns)));
  const part = (name: string, kind: 'noun' | 'verb'): Packed => {
    const table = tables instanceof Map ? tables.get(name) : null;
    return (table instanceof Map ? table.get(keyOf(kind)) : null) ?? null;
  };
  const [exceptions, rules, index] = [
    part('lemma_exc', 'noun'),
    part('lemma_rules', 'noun'),
    part('lemma_index', 'noun'),
  ];
  const verbs = part('lemma_index', 'verb');
  if (!(exceptions instanceof Map) || !Array.isArray(rules) || !Array.isArray(index) || !Array.isArray(verbs))
    throw new RangeError('the lists of words are not as expected');
  const [known, knownVerbs] = [new Set(index), new Set(verbs)];
  const singularOf: SingularOf = (word) => {
    if (PLURAL_ONLY.has(word)) return word;
    const exception = exceptions.get(word);
    if (Array.isArray(exception)) return String(exception[0]);
    const candidates = rules.flatMap((rule) => {
      const [ending, singular] = Array.isArray(rule) ? rule.map(String) : [];
      return ending !== undefined && word.endsWith(ending)
        ? [word.slice(0, -ending.length || undefined) + singular]
        : [];
    });
    const singular = candidates.find((candidate) => known.has(candidate));
    // "rabies" and "tectonics" are not plurals.
    return singular ?? (known.has(word) ? word : (candidates[0] ?? word));
  };
  return { singularOf, isKnownNoun: (word) => known.has(word), isVerb: (word) => knownVerbs.has(word) };
}

/** Numeric keys become numbers. */
function keyOf(name: string): number | bigint {
  const id = idOf(name);
  return id <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(id) : id;
}
