/**
 * Elements of a batch that are validated one by one: a fault in one is that element's own result and not the whole
 * request's. The envelope's schema has {@link element} in their place.
 */
import Type, { type TUnsafe } from 'typebox';
import type { FieldFault, HttpError } from './errors.ts';
import { ELEMENT, nullable, type Static, type TSchema } from '../../domain/schemas/schema.ts';
import { errorBody, RUSSIAN, type ErrorTexts } from './errorMessages.ts';
import { joinFaults, type CompileValidator, type Validate } from '../../domain/schemas/validation.ts';

/**
 * Marks the place of an element in an envelope's schema that the handler validates itself: validation accepts any value
 * there, and the description shows `schema`.
 */
export function element(schema: TSchema): TUnsafe<unknown> {
  return Type.Unsafe<unknown>({ [ELEMENT]: schema });
}

/** Returns the faults of one element, with paths relative to it; empty when it is valid. */
export type ElementValidator = (value: unknown, validators: CompileValidator) => FieldFault[];

/**
 * Declares how an element is validated: by the same validator as a whole body, compiled once.
 * @param rules checks that a schema cannot express; they run in addition to the schema, so they must accept any value
 * @returns a function to call with `deps.validators`
 */
export function createElementValidator(schema: TSchema, rules?: (value: unknown) => FieldFault[]): ElementValidator {
  const compiled = new WeakMap<CompileValidator, Validate>();
  return (value, validators) => {
    const validate = compiled.get(validators) ?? validators(schema);
    compiled.set(validators, validate);
    return joinFaults(validate(value), rules?.(value) ?? []);
  };
}

/** The `error` of an element's result. */
export const BatchError = Type.Object(
  {
    code: Type.String(),
    message: Type.String(),
    details: nullable(
      Type.Array(Type.Object({ field: Type.String(), code: Type.String(), message: Type.Optional(Type.String()) }), {
        description: 'null, когда подробностей нет',
      }),
    ),
  },
  { title: 'BatchError' },
);

/**
 * Returns an element's fault in the format of a whole request's: `batchError(validationFailed(faults))`,
 * `batchError(notFound())`.
 */
export function batchError(error: HttpError, texts: ErrorTexts = RUSSIAN): Static<typeof BatchError> {
  const { code, message, details } = errorBody(error, texts).error;
  return { code, message, details: details ?? null };
}
