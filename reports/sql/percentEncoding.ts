/** How addresses are decoded for comparisons: patterns for the engine, and the same for texts that need no engine. */

/** A percent-encoded continuation byte of UTF-8. */
const NEXT = '%[89AB][0-9A-F]';
/** One percent-encoded character of UTF-8 (RFC 3629, 4), in upper case. */
const ESCAPE = `%[0-7][0-9A-F]|%(?:C[2-9A-F]|D[0-9A-F])${NEXT}|%(?:E0%[AB][0-9A-F]|E[1-9A-CEF]${NEXT}|ED%[89][0-9A-F])${NEXT}|%(?:F0%[9AB][0-9A-F]|F[1-3]${NEXT}|F4%8[0-9A-F])${NEXT}${NEXT}`;
/** The same in any case, in RE2 syntax. */
export const UTF8_ESCAPES = `(?i:${ESCAPE})`;

/**
 * Characters that belong to the letter before them: marks of European scripts and of kana, and parts of Korean syllables.
 * Texts with one of them are composed (NFC). Composing all texts would cost more than the rest of a filter.
 */
export const MARKS = '[\u0300-\u036F\u3099\u309A\u1100-\u11FF]';
/** How these begin when they are percent-encoded. */
export const ENCODED_MARKS = '(?i:%C[CD]%|%E3%82%9[9A]|%E1%8[4-7]%)';

const EACH_ESCAPE = new RegExp(ESCAPE, 'gi');
const HAS_MARKS = new RegExp(MARKS);

/** Returns what the function `decodedUrl` of a dialect returns for a text. */
export function decodedUrl(text: string): string {
  return composed(text.replace(EACH_ESCAPE, (escape) => decodeURIComponent(escape)));
}

/** Returns the text with letters and their marks composed. */
export function composed(text: string): string {
  return HAS_MARKS.test(text) ? text.normalize('NFC') : text;
}
