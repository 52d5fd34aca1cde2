/**
 * Decodes subtitles. Files state no encoding: containers require UTF-8, but old Russian subtitles were often packed
 * unchanged, in windows-1251 or KOI8-R.
 */
import { isUtf8 } from 'node:buffer';

const NEWLINE = 0x0a;
/** The character that a decoder writes in place of bytes that form no character. */
const REPLACEMENT_CHARACTER = '\ufffd';
/** Russian letters, the most frequent first. */
const BY_FREQUENCY = 'оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё';
/** The letters that make up 90 % of a Russian text, and most of a text in another Cyrillic alphabet. */
const FREQUENT_CYRILLIC = new RegExp(`[${BY_FREQUENCY.slice(0, 23)}]`, 'giu');
/** Minimum share of frequent Cyrillic letters among the characters beyond ASCII in Cyrillic text. */
const MIN_FREQUENT = 0.8;
const CONTROL = /[^\P{Cc}\t\n\r]/gu;
/** Maximum share of control characters in text; in Cyrillic UTF-16 read as bytes, every second one is. */
const MAX_CONTROL = 0.1;
/**
 * Minimum share of lines with a single Latin letter in English UTF-16 text that ffmpeg cut (isCutUtf16). The other
 * lines begin with characters that have no zero byte in UTF-16 (quotation marks, dashes), so more than one letter is
 * left of them.
 */
const MIN_SINGLE = 0.9;
const CYRILLIC = /[\u0400-\u04ff]/gu;
/** A capital after a small letter: a sign that windows-1251 was read as KOI8-R, or the reverse. */
const INNER_CAPITAL = /\p{Ll}\p{Lu}/gu;
/** Maximum ratio of accented letters to plain ones: text in windows-1252 has fewer, that in other encodings more. */
const MAX_ACCENTED = 0.1;
/** A part is enough to recognise an encoding, and bounds the memory that counting letters takes. */
const SAMPLE_BYTES = 256 * 1024;

/**
 * Returns the text of subtitles. Characters that are damaged are left out of text that is mostly UTF-8.
 * @returns null if the encoding is not recognised
 */
export function decodeSubtitles(bytes: Uint8Array): string | null {
  const text = new TextDecoder().decode(bytes);
  if (isUtf8(bytes)) return isCutUtf16(text) ? null : text;
  if (isMostlyUtf8(text)) return text.replaceAll(REPLACEMENT_CHARACTER, '');
  const encoding = encodingOf(sampleOf(bytes));
  return encoding === null ? null : new TextDecoder(encoding).decode(bytes);
}

/**
 * Returns true for UTF-16 text whose cues ffmpeg cut at their first zero bytes: Cyrillic letters are then pairs of a
 * byte and a control character, and one letter of an English cue is left. Lines without letters («♪», a countdown) are
 * no sign of it.
 */
function isCutUtf16(text: string): boolean {
  const lines = text
    .slice(0, SAMPLE_BYTES)
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.includes('-->') && !line.startsWith('WEBVTT'));
  const words = lines.join('');
  if (countOf(CONTROL, words) > words.length * MAX_CONTROL) return true;
  const spoken = lines.filter((line) => /\p{L}/u.test(line));
  const single = spoken.filter((line) => /^[a-z]$/i.test(line.trim()));
  return spoken.length > 1 && single.length >= spoken.length * MIN_SINGLE;
}

/**
 * Returns true when more characters beyond ASCII were decoded from UTF-8 than could not be. In text of another encoding
 * a few are valid UTF-8 by chance: «Я…» in windows-1251.
 */
function isMostlyUtf8(text: string): boolean {
  let balance = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === REPLACEMENT_CHARACTER) balance -= 1;
    else if (text.charCodeAt(at) > 0x7f) balance += 1;
  }
  return balance > 0;
}

/**
 * Returns only the lines that are not ASCII, because the others say nothing about the encoding. It begins with the
 * first of them and reads at most {@link SAMPLE_BYTES}.
 */
function sampleOf(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex((byte) => byte > 0x7f);
  const start = bytes.lastIndexOf(NEWLINE, first) + 1;
  const lines = Buffer.from(bytes.subarray(start, start + SAMPLE_BYTES))
    .toString('latin1')
    .split('\n');
  return Buffer.from(lines.filter((line) => /[^\0-\x7f]/.test(line)).join('\n'), 'latin1');
}

function encodingOf(bytes: Uint8Array): string | null {
  // Text in UTF-16, or something that is not text.
  if (bytes.some((byte) => byte < 0x20 && byte !== NEWLINE && byte !== 0x09 && byte !== 0x0d)) return null;
  const read = (encoding: string): string => new TextDecoder(encoding).decode(bytes);
  const cyrillic = rarity(read('koi8-r')) < rarity(read('windows-1251')) ? 'koi8-r' : 'windows-1251';
  if (isCyrillic(read(cyrillic))) return cyrillic;
  return isWestern(read('windows-1252')) ? 'windows-1252' : null;
}

/** Adds up how rare the letters are in Russian. A capital inside a word counts as the rarest letter. */
function rarity(text: string): number {
  let sum = countOf(INNER_CAPITAL, text) * BY_FREQUENCY.length;
  for (const letter of text.toLowerCase()) {
    const rank = BY_FREQUENCY.indexOf(letter);
    sum += rank < 0 ? BY_FREQUENCY.length : rank;
  }
  return sum;
}

/** Returns true when most letters are frequent Cyrillic ones. Text in another alphabet would show rare ones. */
function isCyrillic(text: string): boolean {
  const beyondAscii = countOf(/[^\0-\x7f«»–—…“”„№]/gu, text);
  if (beyondAscii === 0 || countOf(CYRILLIC, text) < countOf(/[a-z]/giu, text)) return false;
  return countOf(FREQUENT_CYRILLIC, text) - countOf(INNER_CAPITAL, text) >= MIN_FREQUENT * beyondAscii;
}

function countOf(pattern: RegExp, text: string): number {
  return text.match(pattern)?.length ?? 0;
}

/** Returns true when at most a few of the letters have accents, and every character is one that occurs in text. */
function isWestern(text: string): boolean {
  const letters = countOf(/[a-z]/giu, text);
  const accented = countOf(/[à-öø-ÿÀ-ÖØ-Ý]/gu, text);
  return accented <= letters * MAX_ACCENTED && !/[^\0-\x7fà-öø-ÿÀ-ÖØ-ÝßœŒ\u00a0«»¡¿‘’“”„–—…•°€£]/u.test(text);
}
