/** Path and query parameters: texts in the request, typed by their schema. */
import type { ParsedUrlQuery } from 'node:querystring';
import { invalidRequest } from './errors.ts';
import { ENCODED_ELEMENTS, type TSchema } from '../../domain/schemas/schema.ts';
import type { Validate } from '../../domain/schemas/validation.ts';

interface ObjectForm {
  properties?: Record<string, { type?: string; [ENCODED_ELEMENTS]?: boolean }>;
}

/**
 * Returns the parameters that the schema names; unknown ones are ignored. A repeated parameter, or one that its schema
 * refuses, is a fault.
 * @param query the raw query, for lists whose elements are encoded one by one
 * @throws {HttpError} 400
 */
export function readParameters(
  given: ParsedUrlQuery | Record<string, string>,
  schema: TSchema,
  validate: Validate,
  query = '',
): Record<string, unknown> {
  const typed: Record<string, unknown> = {};
  for (const [name, form] of Object.entries((schema as ObjectForm).properties ?? {})) {
    const text = given[name];
    if (Array.isArray(text)) throw invalidRequest([{ field: name, code: 'invalid_value' }]);
    if (text !== undefined) typed[name] = form[ENCODED_ELEMENTS] ? readElements(query, name) : convert(text, form.type);
  }
  const faults = validate(typed);
  if (faults.length > 0) throw invalidRequest(faults);
  return typed;
}

/** Returns the elements of a list, each of which was percent-encoded before they were joined with commas. */
function readElements(query: string, name: string): string[] {
  const parameter = query.split('&').find((part) => decode(part.split('=', 1)[0] ?? '', name) === name) ?? '';
  const list = parameter.slice(parameter.indexOf('=') + 1);
  return list === '' ? [] : list.split(',').map((element) => decode(element, name));
}

function decode(text: string, field: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw invalidRequest([{ field, code: 'invalid_value' }]);
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
