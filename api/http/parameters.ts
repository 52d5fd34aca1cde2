/** Path and query parameters: texts on the wire, typed by their schema. */
import type { ParsedUrlQuery } from 'node:querystring';
import { invalidRequest } from './errors.ts';
import type { TSchema } from '../../schemas/schema.ts';
import type { Validate } from '../../schemas/validation.ts';

interface ObjectForm {
  properties?: Record<string, { type?: string }>;
}

/**
 * The parameters that the schema names; unknown ones are left out. A parameter given twice, or one
 * that its schema refuses, is a fault.
 * @throws {HttpError} 400
 */
export function readParameters(
  given: ParsedUrlQuery | Record<string, string>,
  schema: TSchema,
  validate: Validate,
): Record<string, unknown> {
  const typed: Record<string, unknown> = {};
  for (const [name, form] of Object.entries((schema as ObjectForm).properties ?? {})) {
    const text = given[name];
    if (Array.isArray(text)) throw invalidRequest([{ field: name, code: 'invalid_value' }]);
    if (text !== undefined) typed[name] = convert(text, form.type);
  }
  const faults = validate(typed);
  if (faults.length > 0) throw invalidRequest(faults);
  return typed;
}

/** What cannot be converted stays a text, which its schema then refuses. */
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
