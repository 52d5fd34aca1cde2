/** Errors of individual records in a batch about people. */
import Type from 'typebox';
import { oneOf, orNull } from '../../domain/schemas/schema.ts';

const MESSAGES = {
  pii_not_allowed: 'params hold a key that names personal data',
  unknown_visitor: 'There is no such visitor',
} as const;

export type RecordErrorCode = keyof typeof MESSAGES;

/** Returns the schema of the `error` of a record's result: null when the record is ok. */
export function recordErrorOf<const Codes extends readonly RecordErrorCode[]>(codes: Codes) {
  return orNull(Type.Object({ code: oneOf(codes), message: Type.String() }));
}

export function recordError<Code extends RecordErrorCode>(code: Code): { code: Code; message: string } {
  return { code, message: MESSAGES[code] };
}
