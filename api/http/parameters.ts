/** Path and query parameters: texts in the request, typed by their schema. */
import { invalidRequest } from './errors.ts';
import { ENCODED_ELEMENTS, type TSchema } from '../../domain/schemas/schema.ts';
import type { Validate } from '../../domain/schemas/validation.ts';

interface ParameterForm {
  type?: string;
  [ENCODED_ELEMENTS]?: boolean;
}

/** The texts of parameters by name, as they are in the request. */
type EncodedTexts = ReadonlyMap<string | null, readonly string[]>;

export type ReadParameters<From> = (from: From) => Record<string, unknown>;

/** A path that the router has matched; it leaves parameters encoded that it cannot decode. */
export interface MatchedPath {
  params: Readonly<Record<string, string>>;
  /** The encoded texts of the parameters, in the same order. */
  captures: readonly string[];
}

/** Returns a function that reads the parameters of a path. */
export function pathReader(schema: TSchema, validate: Validate): ReadParameters<MatchedPath> {
  return ({ params, captures }) => {
    const encoded = new Map(Object.keys(params).map((name, at) => [name, [captures[at] ?? '']]));
    return readParameters(encoded, schema, validate);
  };
}

/** Returns a function that reads the parameters of a query, given without its question mark. */
export function queryReader(schema: TSchema, validate: Validate): ReadParameters<string> {
  return (query) => {
    const parts = query.split('&').map((part) => part.replaceAll('+', ' ').split('='));
    const byName = Map.groupBy(parts, ([name = '']) => decode(name));
    const encoded = new Map([...byName].map(([name, found]) => [name, found.map(([, ...text]) => text.join('='))]));
    return readParameters(encoded, schema, validate);
  };
}

/**
 * Returns the parameters that the schema names; unknown ones are ignored. A fault is a parameter that is repeated, that
 * cannot be decoded, or that its schema refuses.
 * @throws {HttpError} 400
 */
function readParameters(encoded: EncodedTexts, schema: TSchema, validate: Validate): Record<string, unknown> {
  const typed: Record<string, unknown> = {};
  const { properties = {} } = schema as { properties?: Record<string, ParameterForm> };
  for (const [name, form] of Object.entries(properties)) {
    const [text, repeated] = encoded.get(name) ?? [];
    if (text === undefined) continue;
    const value = repeated === undefined ? valueOf(text, form) : null;
    if (value === null) throw invalidRequest([{ field: name, code: 'invalid_value' }]);
    typed[name] = value;
  }
  const faults = validate(typed);
  if (faults.length > 0) throw invalidRequest(faults);
  return typed;
}

/** Returns null for a text that cannot be decoded. */
function valueOf(encoded: string, form: ParameterForm): unknown {
  if (form[ENCODED_ELEMENTS]) {
    const elements = encoded === '' ? [] : encoded.split(',').map(decode);
    return elements.includes(null) ? null : elements;
  }
  const text = decode(encoded);
  return text === null ? null : convert(text, form.type);
}

/** Returns null when an escape is broken or the bytes are not UTF-8. */
function decode(encoded: string): string | null {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return null;
  }
}

/** A value that cannot be converted stays a text, which its schema then refuses. */
function convert(text: string, type: string | undefined): unknown {
  switch (type) {
    case 'array':
      return text === '' ? [] : text.split(',');
    case 'integer':
      return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
    case 'boolean':
      return text === 'true' || text === 'false' ? text === 'true' : text;
    default:
      return text;
  }
}
