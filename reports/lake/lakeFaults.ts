/** DuckDB errors: their messages made safe to log, and their meaning to writers of the lake. */
import { isNativeError } from 'node:util/types';

/**
 * The statement that DuckLake sent to its catalogue. It is long, and its statistics contain values of rows, so it is
 * not logged.
 */
const CATALOGUE_STATEMENT = /Failed to execute query "[^]*":\s+ERROR:/;
const MAX_MESSAGE_LENGTH = 1_000;

export class LakeError extends Error {
  override readonly name = 'LakeError';
}

/** The rows have more text than the caller can take; none are kept. */
export class RowsTooLongError extends Error {
  override readonly name = 'RowsTooLongError';
}

/** The failed statement at the end of a message; its conditions identify people. */
const OWN_STATEMENT = /\n\s*LINE \d+:[^]*$/;
/** Values of a row as error messages quote them. */
const VALUES = [/'[^]*'/g, /"[^]*"/g, /(?<=\bcast value )[^]*/gi, /(?<=\bvalue )\S+/gi] as const;

/** Returns an error that can be logged: about a bad row it states the fault without the values. */
export function toLakeError(error: unknown): LakeError {
  const message = (isNativeError(error) ? error.message : String(error))
    .replace(CATALOGUE_STATEMENT, 'The catalogue says:')
    .replace(OWN_STATEMENT, '');
  // A value may have several lines, so it is removed before the message is cut at the end of the first one.
  const words = BAD_ROW.test(message)
    ? (VALUES.reduce((text, value) => text.replace(value, '…'), message).split('\n')[0] ?? '')
    : message;
  return new LakeError(words.slice(0, MAX_MESSAGE_LENGTH));
}

/**
 * DuckDB's messages about a value that does not fit its column's type, is missing although required, or is not JSON.
 */
const BAD_ROW = /^(Conversion|Constraint|Out of Range|Invalid Input) Error/;

/**
 * Returns whether an error was caused by a row, if it occurred while staged rows were read: without the row, the read
 * would succeed.
 */
export function isBadRow(error: unknown): boolean {
  return error instanceof LakeError && BAD_ROW.test(error.message);
}

/**
 * Returns whether another writer put the batches into the lake first, or may have while this process was stopped
 * (migrations/0031_lake.sql).
 */
export function isCommittedElsewhere(error: unknown): boolean {
  return error instanceof LakeError && /staged batches are gone|begun too long ago/.test(error.message);
}

/**
 * Returns whether another transaction of the lake changed the same files meanwhile; a retry on the new state may
 * succeed.
 */
export function isConflict(error: unknown): boolean {
  return (
    error instanceof LakeError &&
    /transaction conflict|conflicting|could not serialize|duplicate key value|deadlock detected/i.test(error.message)
  );
}
