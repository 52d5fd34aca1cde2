/** Exports: reports as files (docs/decisions/reports-exports.md). */
export const EXPORT_STATES = ['queued', 'running', 'done', 'failed'] as const;
export type ExportState = (typeof EXPORT_STATES)[number];

export const EXPORT_FORMATS = ['csv', 'xlsx'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** More rows than these are made in the background. */
export const EXPORT_ROWS_AT_ONCE = 10_000;
/** Of a site, beside the one that is being made. */
export const EXPORTS_QUEUED = 5;
/** Files of a site at a time; more than anybody looks at in the week that they are kept. */
export const EXPORT_FILES = 500;
/** A file and the link to it. */
export const EXPORT_SECONDS = 7 * 86_400;
/** What is told of an export, once its file is gone or it failed. */
export const EXPORT_RECORD_SECONDS = 90 * 86_400;
/** An export that was begun so often and came to no end is the reason itself: it fails, and the next one has its turn. */
export const EXPORT_ATTEMPTS = 8;

/**
 * Why there is no file. `timeout`: the report took too long or too much, on the sample too. `too_large`: its rows have more text than a file is made of. `site_inactive`:
 * the site was blocked or deleted meanwhile. `invalid`: a regular expression of it is too much for the engine.
 */
export type ExportError = 'timeout' | 'too_large' | 'site_inactive' | 'invalid' | 'internal';

/** Whether its requester is told by mail. `none`: made at once, nobody to tell, or no mail server. */
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

/** Tells the workflow that another export waits. */
export const EXPORT_ASKED_SIGNAL = 'exportAsked';

/** The export whose turn it is. */
export interface NextExport {
  exportId: string;
  format: ExportFormat;
  /** Others that wait behind it. */
  waiting: number;
}

/** What became of one. */
export interface MadeExport {
  state: 'done' | 'failed';
  rows: number;
  /** Its requester is to be told. */
  hasMail: boolean;
}
