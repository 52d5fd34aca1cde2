/**
 * Schemas for structured answers, in the subset that every strict mode supports: all properties required, null instead
 * of absence, no additional properties. The caller checks lengths and counts afterwards, because servers differ in
 * which of those keywords they accept.
 */
import { Ajv, type ValidateFunction } from 'ajv';
import { isRecord } from '../../../domain/isRecord.ts';

export type JsonSchema = Record<string, unknown>;

/** Returns the schema of an object whose properties are all required. */
export function objectOf(properties: Record<string, JsonSchema>): JsonSchema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

export const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items });

export const string = (description: string): JsonSchema => ({ type: 'string', description });

export const number = (description: string): JsonSchema => ({ type: 'number', description });

export const nullableString = (description: string): JsonSchema => ({ type: ['string', 'null'], description });

export const enumOf = (values: readonly string[], description: string): JsonSchema => ({
  type: 'string',
  enum: [...values],
  description,
});

export function nullableEnum(values: readonly string[], description: string): JsonSchema {
  return { type: ['string', 'null'], enum: [...values, null], description };
}

export type Validation<T> = { ok: true; value: T } | { ok: false; problem: string };

// Servers without strict mode add other properties, which are dropped and not refused.
const OPTIONS = { removeAdditional: true, strict: false } as const;
const [firstFault, allFaults] = [new Ajv(OPTIONS), new Ajv({ ...OPTIONS, allErrors: true })];
/** For a longer answer, only the first fault is described: a list of empty objects has one for every few characters. */
const MAX_DESCRIBED_CHARS = 50_000;
const MAX_FAULTS = 10;

/** @returns a check that parses the model's text and describes the faults in words for the model */
export function compileAnswer<T>(schema: JsonSchema): (text: string) => Validation<T> {
  const validate: ValidateFunction<T> = firstFault.compile<T>(schema);
  const validateAll: ValidateFunction<T> = allFaults.compile<T>(schema);
  return (text) => {
    const value = parseJsonAnswer(text);
    if (value === undefined) return { ok: false, problem: 'the answer is not one JSON object' };
    const check = text.length <= MAX_DESCRIBED_CHARS ? validateAll : validate;
    if (check(value)) return { ok: true, value };
    const faults = (check.errors ?? []).slice(0, MAX_FAULTS);
    return {
      ok: false,
      problem: faults.map((fault) => `${fault.instancePath || '/'} ${fault.message ?? ''}`).join('; '),
    };
  };
}

const END_OF_REASONING = '</think>';

/**
 * Returns the JSON object in a model's text, within code fences or after its reasoning; else undefined. Some servers
 * leave out the mark that begins the reasoning, because it belongs to the prompt.
 */
export function parseJsonAnswer(text: string): unknown {
  const body = text.replace(/^\s*<think>[\s\S]*?<\/think>/, '').trim();
  const end = body.lastIndexOf(END_OF_REASONING);
  const answer = end === -1 ? body : body.slice(end + END_OF_REASONING.length);
  // The mark may also be a part of the object, where only the whole text is JSON.
  return tryParse(body) ?? innerObject(answer) ?? innerObject(body);
}

/**
 * Returns the reasoning, or the part after its last closing mark, if it is one JSON object and nothing else (code
 * fences do not count); otherwise null. Objects within prose are drafts, or quotations of strangers.
 */
export function answerInReasoning(thought: string): string | null {
  const end = thought.lastIndexOf(END_OF_REASONING);
  const after = end === -1 ? '' : thought.slice(end + END_OF_REASONING.length);
  return [thought, after].map(withoutFence).find((text) => isRecord(tryParse(text))) ?? null;
}

function withoutFence(text: string): string {
  const trimmed = text.trim();
  const isFenced = trimmed.startsWith('```') && trimmed.endsWith('```');
  return isFenced ? trimmed.slice(3, -3).replace(/^json\b/, '') : trimmed;
}

function innerObject(text: string): unknown {
  return tryParse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
}

function tryParse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
