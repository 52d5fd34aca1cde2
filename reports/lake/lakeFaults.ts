/** DuckDB errors: their messages made safe to log, and their meaning to writers of the lake. */
import { isNativeError } from 'node:util/types';

/**
 * Stand before and after the statement that DuckLake sent to its catalogue. It is long, and its statistics contain
 * values of rows, so it is not logged. PostgreSQL says `ERROR` in its own language.
 */
const BEFORE_CATALOGUE_STATEMENT = 'Failed to execute query "';
const AFTER_CATALOGUE_STATEMENT = /":\s+[\p{Lu}\p{Lo}\p{Script=Georgian}]+:(?=\s)/gu;
const MAX_MESSAGE_LENGTH = 1_000;

export class LakeError extends Error {
  override readonly name = 'LakeError';
}

/** The rows have more text than the caller can take; none are kept. */
export class RowsTooLongError extends Error {
  override readonly name = 'RowsTooLongError';
}

/** The failed statement at the end of a message; its conditions identify people. */
const OWN_STATEMENT = /\n[^\S\n]*LINE \d+:[^]*$/;
/** Values of a row as error messages quote them. `rest` is for a text that may end within one. */
const QUOTED = [
  { quote: `'`, value: /'[^]*'/, rest: /'[^]*$/ },
  { quote: '"', value: /"[^]*"|"[^]*$/, rest: /"[^]*$/ },
] as const;
const UNQUOTED = [/(?<=\bcast value )[^]*/i, /(?<=\bvalue )\S+/gi] as const;

/** Returns an error that can be logged: about a bad row it states the fault without the values. */
export function toLakeError(error: unknown): LakeError {
  const message = withoutCatalogueStatement(isNativeError(error) ? error.message : String(error));
  const [statement = ''] = OWN_STATEMENT.exec(message) ?? [];
  const words = message.slice(0, message.length - statement.length).trimEnd();
  return new LakeError((BAD_ROW.test(words) ? withoutValues(words, statement) : words).slice(0, MAX_MESSAGE_LENGTH));
}

/** One expression for the whole would take quadratic time for a value that repeats its beginning. */
function withoutCatalogueStatement(message: string): string {
  const start = message.indexOf(BEFORE_CATALOGUE_STATEMENT);
  const after = [...message.matchAll(AFTER_CATALOGUE_STATEMENT)].at(-1);
  if (start === -1 || !after || after.index < start + BEFORE_CATALOGUE_STATEMENT.length) return message;
  return `${message.slice(0, start)}The catalogue says:${message.slice(after.index + after[0].length)}`;
}

/**
 * Returns the first line of a message about a bad row without the values. A value may contain quotes, and what looks
 * like the beginning of the statement: if a quote follows that, everything from the first such quote on is removed.
 */
function withoutValues(words: string, statement: string): string {
  let text = words;
  for (const { quote, value, rest } of QUOTED) text = text.replace(statement.includes(quote) ? rest : value, '…');
  for (const value of UNQUOTED) text = text.replace(value, '…');
  return text.split('\n', 1)[0] ?? '';
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
 * DuckDB passes PostgreSQL's messages on without their codes. In other languages than English only the name of the
 * key remains the same.
 */
const CONFLICT =
  /transaction conflict|conflicting|could not serialize|duplicate key value|deadlock detected|\bducklake_\w+_pkey\b/i;

/**
 * Returns whether another transaction of the lake changed the same files meanwhile; a retry on the new state may
 * succeed.
 */
export function isConflict(error: unknown): boolean {
  return error instanceof LakeError && CONFLICT.test(error.message);
}
