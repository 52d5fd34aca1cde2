/** JSON that works on pages whose libraries have changed the built-in prototypes. */

const PROTOTYPES = [Object.prototype, Array.prototype, String.prototype, Number.prototype, Boolean.prototype] as {
  toJSON?: unknown;
}[];

/** Escapes of JSON.stringify that the server refuses. Escaped backslashes match first, so that `\\u0000` stays text. */
const UNSTORABLE_ESCAPE = /(\\\\)|\\u(?:d[89a-f][0-9a-f]{2}|0000)/g;

/**
 * Serialises as JSON.stringify does, but ignores the toJSON methods that old libraries add to arrays and strings (an
 * array would become a string), and removes NUL and lone surrogates.
 * @throws TypeError for cycles and BigInts, like JSON.stringify
 */
export function stringify(value: unknown): string {
  const removed: [{ toJSON?: unknown }, PropertyDescriptor][] = [];
  for (const prototype of PROTOTYPES) {
    const own = Object.getOwnPropertyDescriptor(prototype, 'toJSON');
    if (own?.configurable && delete prototype.toJSON) removed.push([prototype, own]);
  }
  try {
    return JSON.stringify(value).replace(UNSTORABLE_ESCAPE, '$1');
  } finally {
    for (const [prototype, own] of removed) Object.defineProperty(prototype, 'toJSON', own);
  }
}
