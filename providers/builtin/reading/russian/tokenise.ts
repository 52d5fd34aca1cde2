/** Tokenises a Russian text as in the training of slovnet's networks, and computes the shapes of tokens. */

export interface Token {
  text: string;
  start: number;
}

const PUNCTUATION = '!#$%&()[]\\/*+,.:;<=>?@^_{|}~-‐−‒⁃–—―`"\'«»„“ʼʻ”№…';
const MARKS = PUNCTUATION.replace(/[\\\]^-]/g, String.raw`\$&`);
const TOKEN = new RegExp(
  String.raw`[а-яё]+(?:[а-яё‐-]*[а-яё]+)?|[a-z]+(?:[a-z‐-]*[a-z]+)?|\d+|\.{2,}|[${MARKS}]|\S`,
  'giu',
);

export function splitTokens(text: string): Token[] {
  return Array.from(text.matchAll(TOKEN), (match) => ({ text: match[0], start: match.index }));
}

/** Returns the alphabet and the capitals of a word, such as `RU_Xx`; punctuation is returned unchanged. */
export function shapeOf(token: string): string {
  if (/^[а-яё]/i.test(token)) return `RU_${outlineOf(token)}`;
  if (/^[a-z]/i.test(token)) return `EN_${outlineOf(token)}`;
  if (/^[+-]?\d/.test(token)) return 'NUM';
  const first = token[0] ?? '';
  if (!PUNCTUATION.includes(first)) return 'OTHER';
  return token.length === 1 ? `PUNCT_${token}` : 'PUNCT_OTHER';
}

function outlineOf(word: string): string {
  if (word.length === 1) return isUpper(word) ? 'X' : 'x';
  if (isUpper(word)) return 'XX';
  if (word === word.toLowerCase()) return 'xx';
  if (isTitle(word)) return 'Xx';
  const dash = word.indexOf('-');
  return dash > 0 && isTitle(word.slice(0, dash)) && isTitle(word.slice(dash + 1)) ? 'Xx-Xx' : 'OTHER';
}

function isUpper(word: string): boolean {
  return word === word.toUpperCase() && word !== word.toLowerCase();
}

function isTitle(word: string): boolean {
  const [first = '', rest = ''] = [word.slice(0, 1), word.slice(1)];
  return rest !== '' && isUpper(first) && rest === rest.toLowerCase() && rest !== rest.toUpperCase();
}
