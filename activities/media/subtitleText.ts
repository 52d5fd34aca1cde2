/**
 * Decodes subtitles. Files state no encoding: containers require UTF-8, but old Russian subtitles were often packed
 * unchanged, in windows-1251 or KOI8-R.
 */

/** The letters of nine tenths of a Russian text, and of most of a text in another Cyrillic alphabet. */
const FREQUENT_CYRILLIC = /[оеаинтсрвлкмдпуяыьгзбчй]/giu;
const CYRILLIC = /[\u0400-\u04ff]/gu;
/** In a wrong encoding these are two thirds of the letters at most. */
const LEAST_FREQUENT = 0.8;
/** A capital behind a small letter: the mark of windows-1251 that is read as KOI8-R, and of the reverse. */
const INNER_CAPITAL = /\p{Ll}\p{Lu}/gu;
/** Other languages of windows-1252 have fewer letters beyond ASCII; those of other encodings more. */
const MOST_ACCENTED = 0.1;
/** The beginning is enough to recognise an encoding, and bounds the memory that counting letters takes. */
const SAMPLE_BYTES = 256 * 1024;
const NEWLINE = 0x0a;
/** A day of speech has a tenth of that. Each line takes memory, and a hostile file may consist of ends of lines. */
const MOST_LINES = 200_000;

/**
 * Returns the text of subtitles as UTF-8, line by line: a damaged line does not make the others illegible.
 * @returns null if lines are in an encoding that is not recognised
 */
export function decodeSubtitles(bytes: Uint8Array): string | null {
  const whole = asUtf8(bytes);
  if (whole !== null) return whole;
  const found = linesOf(bytes);
  if (found.length > MOST_LINES) return null;
  const lines = found.map((line) => ({ line, text: asUtf8(line) }));
  const unknown = lines.flatMap(({ line, text }) => (text === null ? [line] : []));
  // Beside lines that are UTF-8, the others are damaged.
  const isUtf8 = lines.some(({ text }) => text !== null && /[^\0-\x7f]/u.test(text));
  const encoding = isUtf8 ? 'utf-8' : encodingOf(sampleOf(unknown));
  if (encoding === null) return null;
  const decoder = new TextDecoder(encoding);
  return lines.map(({ line, text }) => text ?? decoder.decode(line).replaceAll('\ufffd', '')).join('\n');
}

/** Returns the lines; of more than MOST_LINES, some more than that. */
function linesOf(bytes: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = [];
  let start = 0;
  for (let end = bytes.indexOf(NEWLINE); end >= 0 && lines.length <= MOST_LINES; end = bytes.indexOf(NEWLINE, start)) {
    lines.push(bytes.subarray(start, end));
    start = end + 1;
  }
  return [...lines, bytes.subarray(start)];
}

const STRICT = new TextDecoder('utf-8', { fatal: true });

function asUtf8(bytes: Uint8Array): string | null {
  try {
    return STRICT.decode(bytes);
  } catch {
    return null;
  }
}

function sampleOf(lines: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(lines.flatMap((line) => [line, Buffer.of(NEWLINE)])).subarray(0, SAMPLE_BYTES);
}

function encodingOf(bytes: Uint8Array): string | null {
  // Text in UTF-16 or something that is no text.
  if (bytes.some((byte) => byte < 0x20 && byte !== NEWLINE && byte !== 0x09 && byte !== 0x0d)) return null;
  const [best] = ['windows-1251', 'koi8-r']
    .map((encoding) => ({ encoding, likeness: likenessToRussian(new TextDecoder(encoding).decode(bytes)) }))
    .toSorted((a, b) => b.likeness - a.likeness);
  if (best !== undefined && best.likeness >= LEAST_FREQUENT) return best.encoding;
  return isWestern(new TextDecoder('windows-1252').decode(bytes)) ? 'windows-1252' : null;
}

/** Returns the share of frequent letters among those beyond ASCII, less that of capitals inside of words. */
function likenessToRussian(text: string): number {
  const countOf = (pattern: RegExp): number => text.match(pattern)?.length ?? 0;
  const beyondAscii = countOf(/[^\0-\x7f«»–—…“”„№]/gu);
  if (beyondAscii === 0 || countOf(CYRILLIC) < countOf(/[a-z]/giu)) return 0;
  return (countOf(FREQUENT_CYRILLIC) - countOf(INNER_CAPITAL)) / beyondAscii;
}

/** Returns whether there are a few accented letters among many others, and nothing that text does not have. */
function isWestern(text: string): boolean {
  const letters = text.match(/[a-z]/giu)?.length ?? 0;
  const accented = text.match(/[à-öø-ÿÀ-ÖØ-Ý]/gu)?.length ?? 0;
  return accented <= letters * MOST_ACCENTED && !/[^\0-\x7fà-öø-ÿÀ-ÖØ-Ýß\u00a0«»¡¿‘’“”„–—…•°€£]/u.test(text);
}
