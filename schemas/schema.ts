/**
 * The forms that request and answer bodies are built of. Each schema is at once the validation, the
 * TypeScript type and the OpenAPI description; a `title` makes it a named component there.
 */
import Type, { type Static, type TProperties, type TObject, type TSchema, type TUnsafe } from 'typebox';

export type { Static, TSchema } from 'typebox';

/** An object that takes no other fields (`unknown_field`). */
export function strictObject<P extends TProperties>(properties: P, options: Record<string, unknown> = {}): TObject<P> {
  return Type.Object(properties, { ...options, additionalProperties: false });
}

/** One of the given texts. */
export function oneOf<const T extends readonly string[]>(
  values: T,
  options: Record<string, unknown> = {},
): TUnsafe<T[number]> {
  return Type.Unsafe<T[number]>({ type: 'string', enum: [...values], ...options });
}

/**
 * The same, or null. Written as a list of types and not as a union, so that a fault of the value
 * stays one fault with the path of its field.
 */
export function nullable<S extends TSchema>(schema: S): TUnsafe<Static<S> | null> {
  const { title: _title, ...form } = schema as { title?: string; type?: string; enum?: unknown[] };
  return Type.Unsafe<Static<S> | null>({
    ...form,
    type: [form.type, 'null'],
    ...(form.enum && { enum: [...form.enum, null] }),
  });
}

/** For answers: a named component, or null. */
export function orNull<S extends TSchema>(schema: S): TUnsafe<Static<S> | null> {
  return Type.Unsafe<Static<S> | null>({ anyOf: [schema, { type: 'null' }] });
}

/** A text of at most `maxLength` characters (Unicode code points). */
export function text(maxLength: number, options: Record<string, unknown> = {}): ReturnType<typeof Type.String> {
  return Type.String({ maxLength, ...options });
}

/** ISO-8601 with a time zone; `invalid_datetime` otherwise. */
export function dateTime(options: Record<string, unknown> = {}): ReturnType<typeof Type.String> {
  return Type.String({ format: 'date-time', ...options });
}

/** The https address of a medium; `invalid_url` otherwise. */
export function mediaUrl(options: Record<string, unknown> = {}): ReturnType<typeof Type.String> {
  return text(2048, { format: 'uri', [MEDIA_URL]: true, ...options });
}

/** Any object, whatever is in it, of at most `maxBytes` bytes of UTF-8 JSON. */
export function freeObject(options: Record<string, unknown> = {}): TUnsafe<Record<string, unknown>> {
  return Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, ...options });
}

/** The keyword that bounds the serialised size of a value, in bytes (validation.ts). */
export const MAX_BYTES = 'x-max-bytes';

/** The keyword of a text that must be the address of a medium (validation.ts); the description shows its format alone. */
export const MEDIA_URL = 'x-media-url';

/**
 * The keyword that gives faults of a value codes of their own, by the keyword of JSON Schema that finds
 * them: `{ format: 'invalid_value' }`. For validation alone.
 */
export const FAULT_CODES = 'x-fault-codes';

/** The keyword that holds the schema of an element of a batch, which is judged apart (elements.ts). */
export const ELEMENT = 'x-element';

/**
 * The keyword of a value whose texts and numbers the handler judges: its form (types, known and required
 * fields) is validated, NUL, lone surrogates and infinity in it are not looked for.
 */
export const OWN_VALUES = 'x-own-values';

/**
 * The keyword of a list in a query whose elements may hold commas: the commas between them are written as they
 * are, those within them percent-encoded. For what reads the query.
 */
export const ENCODED_ELEMENTS = 'x-encoded-elements';

/** The keyword whose keywords only the description shows: rules of a body that its handler checks in code. */
export const DESCRIBED = 'x-described';
