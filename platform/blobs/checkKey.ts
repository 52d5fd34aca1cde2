const KEY = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/;

/** Returns the key itself. @throws {Error} when it is not a relative path of plain names */
export function checkKey(key: string): string {
  if (!KEY.test(key)) throw new Error('not a blob key');
  return key;
}
