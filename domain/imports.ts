/** File imports: PUT operations by the thousand, read line by line (docs/decisions/imports.md). */
export const IMPORT_STATES = ['queued', 'running', 'done', 'failed'] as const;
/** `done`: read to its end, whatever its lines held. `failed`: it could not be read, or not from some line on. */
export type ImportState = (typeof IMPORT_STATES)[number];

export const IMPORT_FORMATS = ['jsonl', 'csv'] as const;
export type ImportFormat = (typeof IMPORT_FORMATS)[number];

/** Lines applied in one transaction: as many as a batch of the API. */
export const IMPORT_CHUNK_LINES = 500;
/** And so many bytes of them, whichever comes first, so that long lines do not fill the memory. */
export const IMPORT_CHUNK_BYTES = 8 * 1024 * 1024;
/** A longer line is an error: as long as a body of the API may be. */
export const IMPORT_LINE_BYTES = 5 * 1024 * 1024;
/** One of which no end comes for so long is no line: the import fails. So much is read within an activity's time (domain/queues.ts). */
export const IMPORT_SKIP_BYTES = 256 * 1024 * 1024;
/** Imports of a project that may wait for their end at a time. */
export const IMPORTS_UNFINISHED = 10;
/** Errors that are kept, beside the one that ends an import; more are only counted. */
export const IMPORT_ERRORS = 1_000;

/** How the head of a CSV file says to read the rest. */
export interface CsvLayout {
  delimiter: string;
  /** Names of the columns, in their order. */
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

/** A fault of a field of a line, as the API's details name it; texts are added where it is told. */
export interface ImportFault {
  field: string;
  code: string;
  limit?: number;
  allowed?: readonly string[];
}

/** What is wrong with a line, or (in the head, when the file is gone or a line has no end) with all from there on. */
export interface ImportError {
  /** As editors count them, from 1; for a CSV row its first. */
  line: number;
  itemId: string | null;
  code: ImportErrorCode;
  faults: readonly ImportFault[];
}

/** Where the reading of a file has come to. */
export interface ImportPosition {
  /** Bytes read. */
  offset: number;
  /** The line that begins there. */
  line: number;
}

/** What a chunk reports to the workflow: numbers only. */
export interface ImportProgress {
  state: ImportState;
  done: number;
  failed: number;
  /** Of the file's bytes, 0–100. */
  percent: number;
}
