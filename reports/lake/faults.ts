/** Errors of DuckDB: in words that can be logged, and what they mean to whoever writes into the lake. */
import { isNativeError } from 'node:util/types';

/** The statement that DuckLake sent to its catalogue: its length, and the values of rows that its statistics hold, are nothing for a log. */
const CATALOGUE_STATEMENT = /Failed to execute query "[^]*":\s+ERROR:/;
const LONGEST_MESSAGE = 1_000;

export class LakeError extends Error {
  override readonly name = 'LakeError';
}

/** Rows have more text than whoever asked can take: nothing of them is kept. */
export class RowsTooLongError extends Error {
  override readonly name = 'RowsTooLongError';
}

/** The statement itself, at the end: conditions name people. */
const OWN_STATEMENT = /\n\s*LINE \d+:[^]*$/;
/** What a row has, as errors about it quote it. */
const VALUES = [/'[^]*'/g, /"[^]*"/g, /(?<=\bcast value )[^]*/gi, /(?<=\bvalue )\S+/gi] as const;

/** In words that can be logged: of a row that is wrong they say what is wrong, not what it has. */
export function toLakeError(error: unknown): LakeError {
  const message = (isNativeError(error) ? error.message : String(error))
    .replace(CATALOGUE_STATEMENT, 'The catalogue says:')
    .replace(OWN_STATEMENT, '');
  const words = BAD_ROW.test(message)
    ? VALUES.reduce((text, value) => text.replace(value, '…'), message.split('\n')[0] ?? '')
    : message;
  return new LakeError(words.slice(0, LONGEST_MESSAGE));
}

/** Words of DuckDB for a value that is not of its column's type, missing where it must be, or not JSON. */
const BAD_ROW = /^(Conversion|Constraint|Out of Range|Invalid Input) Error/;

/** True of an error while staged rows were read: another row, or no row, would be read. */
export function isBadRow(error: unknown): boolean {
  return error instanceof LakeError && BAD_ROW.test(error.message);
}

/** Somebody else put the batches into the lake first, or may have while this process was stopped (migrations/0031_lake.sql). */
export function isTakenBySomebody(error: unknown): boolean {
  return error instanceof LakeError && /staged batches are gone|begun too long ago/.test(error.message);
}

/** Another transaction of the lake changed the same files meanwhile: the same work on the new state may succeed. */
export function isConflict(error: unknown): boolean {
  return (
    error instanceof LakeError &&
    /transaction conflict|conflicting|could not serialize|duplicate key value|deadlock detected/i.test(error.message)
  );
}
