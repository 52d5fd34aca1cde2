/**
 * Errors of requests, as in the APIs' error body. Texts are added where the error is written, since the APIs use
 * different languages; errorMessages.ts also says whether a fault of a field has a message.
 */
import type { DetailCode, FieldFault } from '../../domain/schemas/fieldFaults.ts';

export type { DetailCode, FieldFault };

export type ErrorCode =
  | 'invalid_request'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'request_timeout'
  | 'payload_too_large'
  | 'validation_failed'
  | 'rate_limited'
  | 'internal'
  | 'unavailable';

export interface HttpErrorOptions {
  details?: readonly FieldFault[];
  /** In seconds; written as a whole number of at least 1. */
  retryAfter?: number;
  /** The connection cannot be reused, for example because half a body is unread. */
  closeConnection?: boolean;
  cause?: unknown;
}

/** A response other than 2xx. Any other error becomes `internal` or `unavailable` (api/http/handling/answer.ts). */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly status: number;
  readonly code: ErrorCode;
  readonly details: readonly FieldFault[];
  readonly retryAfter: number | null;
  readonly closeConnection: boolean;

  constructor(status: number, code: ErrorCode, options: HttpErrorOptions = {}) {
    super(code, options.cause === undefined ? undefined : { cause: options.cause });
    this.status = status;
    this.code = code;
    this.details = options.details ?? [];
    this.retryAfter = options.retryAfter === undefined ? null : Math.max(1, Math.ceil(options.retryAfter));
    this.closeConnection = options.closeConnection ?? false;
  }
}

/** Seconds to wait after a 503: long enough for a restart of PostgreSQL. */
const UNAVAILABLE_RETRY_SECONDS = 5;

export const invalidRequest = (details: readonly FieldFault[] = [], options: HttpErrorOptions = {}): HttpError =>
  new HttpError(400, 'invalid_request', { ...options, details });
export const unauthorized = (): HttpError => new HttpError(401, 'unauthorized');
export const forbidden = (): HttpError => new HttpError(403, 'forbidden');
export const notFound = (): HttpError => new HttpError(404, 'not_found');
/** The rest of the body did not arrive: nothing was done, and the request may be sent again. */
export const requestTimeout = (): HttpError => new HttpError(408, 'request_timeout', { closeConnection: true });
export const payloadTooLarge = (options: HttpErrorOptions = {}): HttpError =>
  new HttpError(413, 'payload_too_large', options);
export const validationFailed = (details: readonly FieldFault[]): HttpError =>
  new HttpError(422, 'validation_failed', { details });
export const rateLimited = (retryAfterSeconds: number): HttpError =>
  new HttpError(429, 'rate_limited', { retryAfter: retryAfterSeconds });
export const unavailable = (cause?: unknown): HttpError =>
  new HttpError(503, 'unavailable', { retryAfter: UNAVAILABLE_RETRY_SECONDS, cause });
export const internal = (cause?: unknown): HttpError => new HttpError(500, 'internal', { cause });
