/**
 * Normalises text for the encoder's vocabulary: Unicode's compatibility composition (NFKC) with the additional rules of
 * Google's machine translation, and white space as one `▁` before each word. The rules are part of the model: a double
 * array (darts-clone, https://github.com/s-yata/darts-clone) from the bytes of a text to the place of their
 * replacement, and all replacements, each terminated by a zero.
 */

/** Replaces white space. */
export const SPACE_MARK = '▁';
/** Trailing marks of a text that contains the mark itself. */
const TRAILING_MARKS = /▁+$/;

/** Bits of a unit of the double array: its label, whether it has a value, and where its children begin. */
const LABEL_MASK = 0x800000ff;
const HAS_VALUE = 0x100;
const VALUE_MASK = 0x7fffffff;

interface Rules {
  units: Uint32Array;
  replacements: Buffer;
}

interface Match {
  /** Number of matched bytes of the text. */
  bytes: number;
  text: string;
}

/** @param charsmap the table of the model: the array's length in bytes, the array, the replacements */
export function createNormaliser(charsmap: Buffer): (text: string) => string {
  const arrayBytes = charsmap.readUInt32LE(0);
  const rules = {
    units: new Uint32Array(Uint8Array.from(charsmap.subarray(4, 4 + arrayBytes)).buffer),
    replacements: charsmap.subarray(4 + arrayBytes),
  };
  return (text) => {
    const words = replaceAll(rules, Buffer.from(text)).split(' ');
    const marked = words.map((word) => (word === '' ? '' : SPACE_MARK + word)).join('');
    return marked.replace(TRAILING_MARKS, '');
  };
}

function replaceAll(rules: Rules, text: Buffer): string {
  const parts: string[] = [];
  for (let at = 0; at < text.length;) {
    const match = longestMatch(rules, text, at) ?? oneCharacter(text, at);
    parts.push(match.text);
    at += match.bytes;
  }
  return parts.join('');
}

function childrenOf(unit: number): number {
  return (unit >>> 10) << ((unit & 0x200) >>> 6);
}

/** Follows the array byte by byte, and returns the last place with a value. */
function longestMatch({ units, replacements }: Rules, text: Buffer, start: number): Match | null {
  let bytes = 0;
  let value = 0;
  let node = childrenOf(units[0] ?? 0);
  for (let at = start; at < text.length; at += 1) {
    const byte = text[at] ?? 0;
    node ^= byte;
    const unit = units[node] ?? 0;
    if ((unit & LABEL_MASK) !== byte) break;
    node ^= childrenOf(unit);
    if ((unit & HAS_VALUE) === 0) continue;
    bytes = at + 1 - start;
    value = (units[node] ?? 0) & VALUE_MASK;
  }
  if (bytes === 0) return null;
  return { bytes, text: replacements.toString('utf8', value, replacements.indexOf(0, value)) };
}

/** Keeps a character that no rule matches. `text` is well-formed UTF-8, because it was encoded from a string. */
function oneCharacter(text: Buffer, at: number): Match {
  const first = text[at] ?? 0;
  const bytes = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  return { bytes, text: text.toString('utf8', at, at + bytes) };
}
