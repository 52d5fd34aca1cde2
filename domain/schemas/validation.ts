/** Validates bodies and parameters against their schemas: ajv decides, faults are returned in the APIs' own terms. */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { type DetailCode, type FieldFault, MAX_FAULTS } from './fieldFaults.ts';
import { isDateTime } from '../dateTime.ts';
import {
  DESCRIBED,
  ELEMENT,
  ENCODED_ELEMENTS,
  FAULT_CODES,
  MAX_BYTES,
  MEDIA_URL,
  OWN_VALUES,
  type TSchema,
} from './schema.ts';
import { childField, scanValues } from './textScan.ts';
import { eraser } from './eraseMarkedParts.ts';

/**
 * Copies a value without the elements that are validated separately, so that a fault in one of them does not reject the
 * whole request.
 */
const withoutElements = eraser(ELEMENT);
/** The part that is scanned for invalid texts and numbers. */
const withoutOwnValues = eraser(OWN_VALUES);

/** Returns the faults of a value, at most MAX_FAULTS, one for a field; empty when it is valid. */
export type Validate = (value: unknown) => FieldFault[];

export interface ValidatorOptions {
  /** Validates the addresses of media (schema.ts MEDIA_URL). */
  isMediaUrl(text: string): boolean;
}

export type CompileValidator = (schema: TSchema) => Validate;

/** Maximum number of values of an invalid body that are scanned for invalid texts. */
const MAX_VISITS = 100_000;

/**
 * Returns a compiler of schemas. A validator that stops at the first fault checks every value. Only an invalid value is
 * checked again for all of its faults, after it was cut down, so that a million bad elements do not become a million
 * error objects.
 */
export function createValidators(options: ValidatorOptions): CompileValidator {
  const quick = createAjv(options, false);
  const thorough = createAjv(options, true);
  return (schema) => {
    // Compiled on first use: all of an API's schemas together would delay its start by a second.
    let isValid: ValidateFunction | undefined;
    let findAll: ValidateFunction | undefined;
    return (given) => {
      const value = withoutElements(given, schema);
      isValid ??= quick.compile(schema);
      // A valid value is no larger than its schema allows, so all of it can be scanned.
      if (isValid(value)) return oneForEachField(scanValues(withoutOwnValues(value, schema)));
      const rest = cut(value, schema);
      findAll ??= thorough.compile(schema);
      findAll(rest);
      const faults = (findAll.errors ?? []).map((error) => faultOf(error, rest));
      const bad = scanValues(withoutOwnValues(rest, schema), MAX_VISITS);
      return oneForEachField([...bad, ...faults]).slice(0, MAX_FAULTS);
    };
  };
}

function createAjv(options: ValidatorOptions, allErrors: boolean): Ajv2020 {
  // test/api/schemas.test.ts checks the schemas against the meta-schema. It is not done here, because compiling the
  // meta-schema takes longer than compiling most of our schemas.
  const ajv = new Ajv2020({
    allErrors,
    allowUnionTypes: true,
    strictSchema: true,
    verbose: true,
    // A number that JSON turned into infinity is still a number; the scan finds it.
    strictNumbers: false,
    validateSchema: false,
  });
  ajv.addFormat('date-time', isDateTime);
  ajv.addFormat('uri', (text) => URL.canParse(text));
  for (const keyword of [ELEMENT, OWN_VALUES, ENCODED_ELEMENTS, DESCRIBED, FAULT_CODES]) ajv.addKeyword({ keyword });
  ajv.addKeyword({
    keyword: MEDIA_URL,
    type: 'string',
    schemaType: 'boolean',
    validate: (_asked: boolean, text: string) => options.isMediaUrl(text),
  });
  ajv.addKeyword({
    keyword: MAX_BYTES,
    type: 'object',
    schemaType: 'number',
    validate: (limit: number, value: object) => fitsInto(value, limit),
  });
  return ajv;
}

function fitsInto(value: object, maxBytes: number): boolean {
  try {
    return Buffer.byteLength(JSON.stringify(value)) <= maxBytes;
  } catch (error) {
    // Too deep to be serialised; the scan reports it with a code of its own.
    if (error instanceof RangeError) return true;
    throw error;
  }
}

/** The code of a fault, by the keyword of the schema that found it. */
const CODES: Record<string, DetailCode> = {
  type: 'invalid_type',
  required: 'required',
  additionalProperties: 'unknown_field',
  maxLength: 'too_long',
  maxItems: 'too_long',
  [MAX_BYTES]: 'too_long',
  [MEDIA_URL]: 'invalid_url',
};
const FORMAT_CODES: Record<string, DetailCode> = { 'date-time': 'invalid_datetime', uri: 'invalid_url' };

function faultOf(error: ErrorObject, root: unknown): FieldFault {
  const field = fieldOf(error.instancePath, root);
  const params = error.params as Record<string, unknown>;
  const own = ownCodes(error)[error.keyword];
  if (own) return { field, code: own };
  switch (error.keyword) {
    case 'required':
      return { field: childField(field, String(params['missingProperty'])), code: 'required' };
    case 'additionalProperties':
      return { field: childField(field, String(params['additionalProperty'])), code: 'unknown_field' };
    case 'format':
      return { field, code: FORMAT_CODES[String(params['format'])] ?? 'invalid_value' };
    case 'enum':
      return { field, code: 'invalid_value', allowed: namesOf(params['allowedValues']) };
    default:
      return { field, code: CODES[error.keyword] ?? 'invalid_value', ...limitOf(error.schema) };
  }
}

function ownCodes({ parentSchema }: ErrorObject): Partial<Record<string, DetailCode>> {
  return (parentSchema as { [FAULT_CODES]?: Partial<Record<string, DetailCode>> } | undefined)?.[FAULT_CODES] ?? {};
}

/** Converts `/media/0/url` to `media[0].url`; the value distinguishes an index from a key that looks like one. */
function fieldOf(pointer: string, root: unknown): string {
  let field = '';
  let value = root;
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    field = childField(field, Array.isArray(value) ? Number(key) : key);
    value = (value as Record<string, unknown>)[key];
  }
  return field;
}

function namesOf(values: unknown): string[] {
  return Array.isArray(values) ? values.map((value) => String(value)) : [];
}

function limitOf(schema: unknown): { limit?: number } {
  return typeof schema === 'number' ? { limit: schema } : {};
}

/** The most informative code for a field wins: a value of the wrong type is also none of the allowed values. */
const WEIGHT: Partial<Record<DetailCode, number>> = { invalid_type: 0, required: 0, unknown_field: 0, too_long: 1 };

function oneForEachField(faults: readonly FieldFault[]): FieldFault[] {
  const byField = new Map<string, FieldFault>();
  for (const fault of faults) {
    const known = byField.get(fault.field);
    if (known === undefined || weightOf(fault) < weightOf(known)) byField.set(fault.field, fault);
  }
  return [...byField.values()];
}

function weightOf(fault: FieldFault): number {
  return WEIGHT[fault.code] ?? 2;
}

/**
 * Returns the faults of a value's schema with those of its rules, at most MAX_FAULTS; a field keeps the fault of its
 * schema.
 */
export function joinFaults(faults: FieldFault[], more: FieldFault[]): FieldFault[] {
  const known = new Set(faults.map((fault) => fault.field));
  return [...faults, ...more.filter((fault) => !known.has(fault.field))].slice(0, MAX_FAULTS);
}

interface Form {
  properties?: Record<string, Form>;
  items?: Form;
  maxItems?: number;
}

const DEFAULT_MAX_ITEMS = 1000;
/**
 * Returns a copy in which all faults are searched for. Of an array that is too long it keeps one element more than
 * allowed, so that the fault is still found, and of unknown fields no more than can be reported. Values without
 * constraints in the schema stay unchanged.
 */
function cut(value: unknown, schema: TSchema | Form): unknown {
  const form = schema as Form;
  if (Array.isArray(value)) {
    const { items } = form;
    const kept = value.slice(0, (form.maxItems ?? DEFAULT_MAX_ITEMS) + 1);
    return items ? kept.map((element) => cut(element, items)) : kept;
  }
  if (typeof value !== 'object' || value === null || !form.properties) return value;
  const { properties } = form;
  const known = Object.keys(properties).filter((key) => Object.hasOwn(value, key));
  const unknown: string[] = [];
  for (const key of Object.keys(value)) {
    if (!Object.hasOwn(properties, key)) unknown.push(key);
    if (unknown.length === MAX_FAULTS) break;
  }
  const members = value as Record<string, unknown>;
  return Object.fromEntries([...known, ...unknown].map((key) => [key, cut(members[key], properties[key] ?? {})]));
}
