/**
 * Tokenises an English text almost as spaCy did to train its networks: contractions are two words, hyphens are separate
 * tokens, and abbreviations keep their dots.
 */

export interface Token {
  text: string;
  start: number;
  /** Whether white space follows. */
  spaceAfter: boolean;
  /** The full form of a shortened word, such as "not" for "n't". */
  norm: string | null;
}

const ABBREVIATION = String.raw`(?:Mr|Mrs|Ms|Dr|Prof|Rev|St|Mt|Jr|Sr|Inc|Ltd|Co|Corp|vs|etc|e\.g|i\.e|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|No|Gov|Gen|Sen|Rep|Lt|Col|Sgt)\.(?![\p{L}])`;
const WORD = String.raw`[\p{L}\p{M}]+(?:['’][\p{L}\p{M}]+)*`;
const TOKEN = new RegExp(
  [
    ABBREVIATION,
    String.raw`(?:\p{Lu}\.){2,}`,
    String.raw`\p{Lu}\.(?=\s\p{Lu})`,
    String.raw`\d+(?:[.,:]\d+)*(?:st|nd|rd|th|s|am|pm|k|m|km|kg|cm|mm|ml)?(?![\p{L}])`,
    WORD,
    String.raw`\.{3,}|--+`,
    String.raw`\S`,
  ].join('|'),
  'gu',
);
const CONTRACTION = /^(.+?)(n['’]t|['’](?:s|re|ve|ll|d|m))$|^(can)(not)$/iu;
const NORMS: Readonly<Record<string, string>> = {
  "n't": 'not',
  "'s": "'s",
  "'re": 'are',
  "'ve": 'have',
  "'ll": 'will',
  "'d": "'d",
  "'m": 'am',
};
/** The stems of "can't" and "won't". */
const STEM_NORMS: Readonly<Record<string, string>> = {
  ca: 'can',
  wo: 'will',
  sha: 'shall',
  did: 'do',
  do: 'do',
  does: 'does',
};

export function splitTokens(text: string): Token[] {
  const tokens: Token[] = [];
  for (const match of text.matchAll(TOKEN)) {
    const [written] = match;
    const spaceAfter = /^\s/.test(text.slice(match.index + written.length, match.index + written.length + 1));
    const parts = CONTRACTION.exec(written);
    const [stem, ending] = [parts?.[1] ?? parts?.[3], parts?.[2] ?? parts?.[4]];
    if (stem === undefined || ending === undefined) {
      tokens.push({ text: written, start: match.index, spaceAfter, norm: null });
      continue;
    }
    const folded = ending.toLowerCase().replace('’', "'");
    const isNegation = folded === "n't";
    tokens.push({
      text: stem,
      start: match.index,
      spaceAfter: false,
      norm: isNegation ? (STEM_NORMS[stem.toLowerCase()] ?? null) : null,
    });
    tokens.push({ text: ending, start: match.index + stem.length, spaceAfter, norm: NORMS[folded] ?? null });
  }
  return tokens;
}

/** Returns the shape of a word: letters become x or X, digits d, and runs are cut to four characters. */
export function shapeOf(word: string): string {
  if (word.length >= 100) return 'LONG';
  let shape = '';
  let last = '';
  let run = 0;
  for (const character of word) {
    const outline = outlineOf(character);
    run = outline === last ? run + 1 : 0;
    last = outline;
    if (run < 4) shape += outline;
  }
  return shape;
}

function outlineOf(character: string): string {
  if (/\p{L}/u.test(character)) return /\p{Lu}/u.test(character) ? 'X' : 'x';
  return /\p{Nd}/u.test(character) ? 'd' : character;
}
