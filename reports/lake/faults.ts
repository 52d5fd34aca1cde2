/** Errors of DuckDB: in words that can be logged, and what they mean to whoever writes into the lake. */
import { isNativeError } from 'node:util/types';

/** The statement that DuckLake sent to its catalogue: its length, and the values of rows that its statistics hold, are nothing for a log. */
const CATALOGUE_STATEMENT = /Failed to execute query "[^]*":\s+ERROR:/;
const LONGEST_MESSAGE = 1_000;

export class LakeError extends Error {
  override readonly name = 'LakeError';
}

export function toLakeError(error: unknown): LakeError {
  const message = isNativeError(error) ? error.message : String(error);
  return new LakeError(message.replace(CATALOGUE_STATEMENT, 'The catalogue says:').slice(0, LONGEST_MESSAGE));
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
  return error instanceof LakeError && /transaction conflict|conflicting|could not serialize|duplicate key value|deadlock detected/i.test(error.message);
}
