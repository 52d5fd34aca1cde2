/** JSON on pages whose libraries have changed the built-in prototypes. */

const PROTOTYPES = [Object.prototype, Array.prototype, String.prototype, Number.prototype, Boolean.prototype] as {
  toJSON?: unknown;
}[];

/** What the server refuses, as JSON.stringify escapes it; an escaped backslash before it is passed over. */
const UNSTORABLE_ESCAPE = /(\\\\)|\\u(?:d[89a-f][0-9a-f]{2}|0000)/g;

/**
 * JSON.stringify without the toJSON that old libraries hang on arrays and strings (an array then comes
 * out as a text), and without NUL and lone surrogates.
 * @throws TypeError for circles and BigInts, like JSON.stringify
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
