/** Exports: reports as files (docs/decisions/reports-exports.md). */
export const EXPORT_STATES = ['queued', 'running', 'done', 'failed'] as const;
export type ExportState = (typeof EXPORT_STATES)[number];

export const EXPORT_FORMATS = ['csv', 'xlsx'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Number of rows above which a report is made in the background. */
export const EXPORT_ROWS_AT_ONCE = 10_000;
/** Maximum number of waiting exports of a site, not counting the one in progress. */
export const EXPORTS_QUEUED = 5;
/** Maximum number of files of a site: more than anybody reads in the week for which they are kept. */
export const EXPORT_FILES = 500;
/** Lifetime of a file and of its link. */
export const EXPORT_SECONDS = 7 * 86_400;
/** Lifetime of the record of an export, after its file was removed or it failed. */
export const EXPORT_RECORD_SECONDS = 90 * 86_400;
/**
 * Maximum number of attempts. An export that was begun this often and never ended is itself the cause: it fails, and
 * the next one starts.
 */
export const EXPORT_ATTEMPTS = 8;

/**
 * Why there is no file. `timeout`: the report took too much time or memory, even on the sample. `too_large`: its rows
 * have more text than a file may hold. `site_inactive`: the site was blocked or deleted in the meantime. `invalid`: one
 * of its regular expressions is too complex for the engine.
 */
export type ExportError = 'timeout' | 'too_large' | 'site_inactive' | 'invalid' | 'internal';

/**
 * State of the mail to the requester. `none`: the file was made at once, there is nobody to notify, or no mail server.
 */
export const EXPORT_MAIL = ['none', 'waiting', 'sent', 'failed'] as const;
export type ExportMail = (typeof EXPORT_MAIL)[number];

/** Input of the workflow that makes a site's exports, one after the other. */
export interface ExportsInput {
  siteId: string;
}

export interface ExportRef {
  siteId: string;
  exportId: string;
}

/** Signals the workflow that another export waits. */
export const EXPORT_ASKED_SIGNAL = 'exportAsked';

/** The next export to make. */
export interface NextExport {
  exportId: string;
  format: ExportFormat;
  /** Number of others that wait behind it. */
  waiting: number;
}

/** The outcome of one export. */
export interface MadeExport {
  state: 'done' | 'failed';
  rows: number;
  /** True when its requester is to be notified. */
  hasMail: boolean;
}
