/**
 * Schemas for structured answers, in the subset that strict mode takes everywhere: every property
 * required, null in place of absence, no further properties. Lengths and counts are checked by the
 * caller afterwards, because servers differ in which of those keywords they accept.
 */
import { Ajv, type ValidateFunction } from 'ajv';

export type JsonSchema = Record<string, unknown>;

/** An object whose properties are all required. */
export function objectOf(properties: Record<string, JsonSchema>): JsonSchema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

export const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items });

export const string = (description: string): JsonSchema => ({ type: 'string', description });

export const nullableString = (description: string): JsonSchema => ({ type: ['string', 'null'], description });

export function nullableEnum(values: readonly string[], description: string): JsonSchema {
  return { type: ['string', 'null'], enum: [...values, null], description };
}

export type Validation<T> = { ok: true; value: T } | { ok: false; problem: string };

// Servers without strict mode add properties of their own: those are dropped, not refused.
const ajv = new Ajv({ allErrors: true, removeAdditional: true, strict: false });

/** @returns a check that parses the model's text and names what is wrong in words for the model */
export function compileAnswer<T>(schema: JsonSchema): (text: string) => Validation<T> {
  const validate: ValidateFunction<T> = ajv.compile<T>(schema);
  return (text) => {
    const value = parseJsonAnswer(text);
    if (value === undefined) return { ok: false, problem: 'the answer is not one JSON object' };
    if (validate(value)) return { ok: true, value };
    const faults = (validate.errors ?? []).slice(0, 10);
    return {
      ok: false,
      problem: faults.map((fault) => `${fault.instancePath || '/'} ${fault.message ?? ''}`).join('; '),
    };
  };
}

/** The JSON object in a model's text, past a reasoning preamble and code fences; else undefined. */
export function parseJsonAnswer(text: string): unknown {
  const body = text.replace(/^\s*<think>[\s\S]*?<\/think>/, '').trim();
  return tryParse(body) ?? tryParse(body.slice(body.indexOf('{'), body.lastIndexOf('}') + 1));
}

function tryParse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
