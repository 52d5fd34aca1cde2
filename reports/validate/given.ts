/** What a request's body is made of, before anything is known of it. */

export type Given = Readonly<Record<string, unknown>>;

export function isGiven(value: unknown): value is Given {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
