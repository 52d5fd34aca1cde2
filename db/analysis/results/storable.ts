/** Cleans the output of providers for storage in PostgreSQL. */

/**
 * Returns a copy without NUL, which neither `text` nor `jsonb` accepts, and without lone surrogates, which `jsonb` does
 * not accept. One bad character from a model must not cost the whole result.
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
