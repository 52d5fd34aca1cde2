/** The DER encodings (ITU-T X.690) that a certificate needs. */

/** Encodes one element: tag, length, content. */
export function der(tag: number, ...content: Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([Buffer.from([tag]), lengthBytes(body.length), body]);
}

export const sequence = (...content: Uint8Array[]): Buffer => der(0x30, ...content);
export const set = (...content: Uint8Array[]): Buffer => der(0x31, ...content);
export const octetString = (content: Uint8Array): Buffer => der(0x04, content);
export const utf8 = (text: string): Buffer => der(0x0c, Buffer.from(text));
export const boolean = (value: boolean): Buffer => der(0x01, Buffer.from([value ? 0xff : 0]));
/** Encodes a context-specific element that wraps others. */
export const explicit = (number: number, ...content: Uint8Array[]): Buffer => der(0xa0 + number, ...content);
/** Encodes a context-specific element that replaces the tag of a primitive one. */
export const implicit = (number: number, content: Uint8Array): Buffer => der(0x80 + number, content);

/** Encodes a bit string from whole bytes, without the last `unused` bits. */
export function bitString(content: Uint8Array, unused = 0): Buffer {
  return der(0x03, Buffer.from([unused]), content);
}

/** Encodes a positive big-endian integer; a zero byte keeps the highest bit from being read as a sign. */
export function integer(bytes: Uint8Array): Buffer {
  const negative = ((bytes[0] ?? 0) & 0x80) !== 0;
  return der(0x02, negative ? Buffer.from([0]) : Buffer.alloc(0), bytes);
}

/** Encodes an object identifier from its dotted form. */
export function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return der(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

/** Encodes UTCTime, which is correct for years before 2050. */
export function utcTime(date: Date): Buffer {
  return der(
    0x17,
    Buffer.from(
      `${date
        .toISOString()
        .replaceAll(/[-:T]|\.\d+/g, '')
        .slice(2, 14)}Z`,
    ),
  );
}

function lengthBytes(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return Buffer.from([0x80 + bytes.length, ...bytes]);
}

function base128(value: number): number[] {
  const bytes = [value & 0x7f];
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) bytes.unshift((rest & 0x7f) | 0x80);
  return bytes;
}
