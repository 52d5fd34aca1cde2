/** File imports: thousands of PUT operations, read line by line (docs/decisions/imports.md). */
export const IMPORT_STATES = ['queued', 'running', 'done', 'failed'] as const;
/** `done`: read to its end, whatever its lines contained. `failed`: it could not be read, or only up to some line. */
export type ImportState = (typeof IMPORT_STATES)[number];

export const IMPORT_FORMATS = ['jsonl', 'csv'] as const;
export type ImportFormat = (typeof IMPORT_FORMATS)[number];

/** Maximum length of a line, which is that of a body of the API; a longer line is an error. */
export const IMPORT_LINE_BYTES = 5 * 1024 * 1024;
/**
 * Number of bytes without a line break after which the import fails. That many can be read within an activity's timeout
 * (domain/jobs/activityOptions.ts).
 */
export const IMPORT_SKIP_BYTES = 256 * 1024 * 1024;
/** Maximum number of unfinished imports of a project. */
export const IMPORTS_UNFINISHED = 10;
/** Maximum number of stored errors, besides the one that ends an import; further ones are only counted. */
export const IMPORT_ERRORS = 1_000;
/** Lifetime of the file of a finished import: long enough to look up the lines of its errors. */
export const IMPORT_FILE_SECONDS = 7 * 86_400;
/** Time for which the record of a finished import is kept, with its lines. */
export const IMPORT_RECORD_SECONDS = 90 * 86_400;

/** The layout of a CSV file, as its header row declares it. */
export interface CsvLayout {
  delimiter: string;
  /** Names of the columns, in order. */
  columns: string[];
}

export type ImportErrorCode =
  | 'validation_failed'
  | 'invalid_json'
  | 'invalid_csv'
  | 'invalid_encoding'
  | 'line_too_long'
  | 'invalid_header'
  | 'file_lost';

/** A fault of a field of a line, in the terms of the API's details; messages are added when it is shown. */
export interface ImportFault {
  field: string;
  code: string;
  limit?: number;
  allowed?: readonly string[];
}

/**
 * An error in a line. When it is in the header row, or when the file is gone or a line has no end, it concerns all
 * lines from there on.
 */
export interface ImportError {
  /** The line number as in editors, from 1; for a CSV row that of its first line. */
  line: number;
  itemId: string | null;
  code: ImportErrorCode;
  faults: readonly ImportFault[];
}

/** The position in a file up to which it has been read. */
export interface ImportPosition {
  /** Number of bytes read. */
  offset: number;
  /** The number of the line that begins there. */
  line: number;
}

/** The report of a chunk to the workflow: numbers only. */
export interface ImportProgress {
  state: ImportState;
  done: number;
  failed: number;
  /** Percentage of the file's bytes, 0–100. */
  percent: number;
  /** Nothing was read, because the project or its client is stopped. */
  isPaused?: true;
}
