/** Makes what a provider said fit for PostgreSQL. */

/**
 * A copy in which no string holds NUL, which neither `text` nor `jsonb` takes, or half a character,
 * which `jsonb` does not take. A model's slip must not cost the result it stands in.
 */
export function storable<T>(value: T): T {
  return clean(value) as T;
}

function clean(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '').toWellFormed();
  if (Array.isArray(value)) return value.map(clean);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [clean(key), clean(inner)]));
}
