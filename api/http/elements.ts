/**
 * Elements of a batch that are judged one by one: a fault in one is that element's own result and not
 * the whole request's. The envelope's schema holds {@link element} in their place.
 */
import Type, { type TUnsafe } from 'typebox';
import type { FieldFault, HttpError } from './errors.ts';
import { ELEMENT, nullable, type Static, type TSchema } from '../../schemas/schema.ts';
import { errorBody, RUSSIAN, type ErrorTexts } from './texts.ts';
import { joinFaults, type CompileValidator, type Validate } from '../../schemas/validation.ts';

/**
 * Stands in an envelope's schema for what the handler judges itself: validation takes any value
 * there, the description shows `schema`.
 */
export function element(schema: TSchema): TUnsafe<unknown> {
  return Type.Unsafe<unknown>({ [ELEMENT]: schema });
}

/** The faults of one element, with paths relative to it; empty when it is valid. */
export type ElementValidator = (value: unknown, validators: CompileValidator) => FieldFault[];

/**
 * Declares how an element is judged: by the same validator as a whole body, compiled once.
 * @param rules what no schema can say; asked beside the schema, hence for any value
 * @returns call it with `deps.validators`
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

/** An element's fault in the words of a whole request's: `batchError(validationFailed(faults))`, `batchError(notFound())`. */
export function batchError(error: HttpError, texts: ErrorTexts = RUSSIAN): Static<typeof BatchError> {
  const { code, message, details } = errorBody(error, texts).error;
  return { code, message, details: details ?? null };
}
