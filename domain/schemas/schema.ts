/**
 * The forms from which request and response bodies are built. Each schema is at once the validation, the TypeScript
 * type and the OpenAPI description; a `title` makes it a named component there.
 */
import Type, { type Static, type TProperties, type TObject, type TSchema, type TUnsafe } from 'typebox';

export type { Static, TSchema } from 'typebox';

/** Returns an object schema that accepts no other fields (`unknown_field`). */
export function strictObject<P extends TProperties>(properties: P, options: Record<string, unknown> = {}): TObject<P> {
  return Type.Object(properties, { ...options, additionalProperties: false });
}

/** Returns a schema of one of the given texts. */
export function oneOf<const T extends readonly string[]>(
  values: T,
  options: Record<string, unknown> = {},
): TUnsafe<T[number]> {
  return Type.Unsafe<T[number]>({ type: 'string', enum: [...values], ...options });
}

/**
 * Returns the same schema, or null. It is written as a list of types and not as a union, so that a fault of the value
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

/** Returns a named component, or null; for responses. */
export function orNull<S extends TSchema>(schema: S): TUnsafe<Static<S> | null> {
  return Type.Unsafe<Static<S> | null>({ anyOf: [schema, { type: 'null' }] });
}

/** Returns a text of at most `maxLength` characters (Unicode code points). */
export function text(maxLength: number, options: Record<string, unknown> = {}): ReturnType<typeof Type.String> {
  return Type.String({ maxLength, ...options });
}

/** Returns an ISO-8601 time with a time zone; `invalid_datetime` otherwise. */
export function dateTime(options: Record<string, unknown> = {}): ReturnType<typeof Type.String> {
  return Type.String({ format: 'date-time', ...options });
}

/** Returns the https address of a medium; `invalid_url` otherwise. */
export function mediaUrl(options: Record<string, unknown> = {}): ReturnType<typeof Type.String> {
  return text(2048, { format: 'uri', [MEDIA_URL]: true, ...options });
}

/** Returns any object, whatever its members. The option {@link MAX_BYTES} limits its size as UTF-8 JSON. */
export function freeObject(options: Record<string, unknown> = {}): TUnsafe<Record<string, unknown>> {
  return Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, ...options });
}

/** The keyword that limits the serialised size of a value, in bytes (validation.ts). */
export const MAX_BYTES = 'x-max-bytes';

/**
 * The keyword of a text that must be the address of a medium (validation.ts, judged by platform/outgoing/url.ts); the
 * description shows only its format.
 */
export const MEDIA_URL = 'x-media-url';

/**
 * The keyword that gives faults of a value their own codes, by the JSON Schema keyword that finds them: `{ format:
 * 'invalid_value' }`. For validation only.
 */
export const FAULT_CODES = 'x-fault-codes';

/**
 * The keyword that holds the schema of an element of a batch, which is validated separately
 * (api/http/batchElements.ts).
 */
export const ELEMENT = 'x-element';

/**
 * The keyword of a value whose texts and numbers the handler validates: its form (types, known and required fields) is
 * validated, but it is not scanned for NUL, lone surrogates and infinity.
 */
export const OWN_VALUES = 'x-own-values';

/**
 * The keyword of a list in a query whose elements may contain commas: the commas between them are literal, those within
 * them percent-encoded. For the parser of the query.
 */
export const ENCODED_ELEMENTS = 'x-encoded-elements';

/** The keyword that holds JSON Schema for the OpenAPI description only: rules that the handler checks in code. */
export const DESCRIBED = 'x-described';
