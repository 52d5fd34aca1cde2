/**
 * Every way a call to an OpenAI-compatible server fails, as a ProviderError. Messages are written
 * here and never taken from the server: servers quote keys, addresses and the caller's content.
 */
import { APIConnectionError, APIConnectionTimeoutError, APIError } from 'openai';
import { ProviderError } from '../errors.ts';

/** The longest delay believed from a Retry-After header. */
const MAX_RETRY_AFTER_MS = 24 * 3_600_000;

const QUOTA_CODES = new Set(['insufficient_quota', 'billing_hard_limit_reached', 'billing_not_active']);
const REFUSAL_CODES = new Set(['content_filter', 'content_policy_violation', 'moderation_blocked']);
const TOO_LARGE_CODES = new Set(['context_length_exceeded', 'string_above_max_length', 'too_large']);
const FORMAT_WORDS =
  /response_format|json_schema|json_object|verbose_json|diarized_json|timestamp_granularities|chunking_strategy|structured output|grammar/i;

/**
 * The server understood the request and declined it (400, 422). `aboutFormat` says that it named the
 * answer's format as the reason, so that another format may be tried.
 */
export class RejectedRequestError extends ProviderError {
  readonly aboutFormat: boolean;

  constructor(status: number, aboutFormat: boolean) {
    super('permanent', 'provider_bad_request', `The provider rejected the request (HTTP ${status})`);
    this.aboutFormat = aboutFormat;
  }
}

/** The answer cannot be used as it is; another attempt may be better. */
export function badAnswer(what: string): ProviderError {
  return new ProviderError('retryable', 'provider_bad_answer', `The provider's answer is unusable: ${what}`);
}

/** What an error answer says, reduced to what the mapping looks at. */
interface Failure {
  status: number;
  code: string;
  param: string;
  message: string;
  retryAfterMs: number | null;
}

/**
 * Maps whatever the SDK or fetch threw.
 *
 * @param timedOut whether our own deadline ended the request
 */
export function toProviderError(error: unknown, timedOut: boolean): ProviderError {
  if (error instanceof ProviderError) return error;
  if (timedOut || error instanceof APIConnectionTimeoutError) {
    return new ProviderError('retryable', 'provider_timeout', 'The provider did not answer in time');
  }
  if (error instanceof APIError && !(error instanceof APIConnectionError) && error.status !== undefined) {
    return classify(failureOf(error.status, error.error, error.headers));
  }
  return new ProviderError('retryable', 'provider_unreachable', 'The connection to the provider failed');
}

/**
 * Some gateways answer 200 with an `error` object, and a common local server with a sentence for an
 * endpoint that it does not have; null when `body` is not such an answer.
 */
export function errorInBody(body: unknown): ProviderError | null {
  if (!isRecord(body) || ['choices', 'data', 'results', 'text'].some((key) => key in body)) return null;
  if (typeof body['error'] === 'string' && /endpoint|not found/i.test(body['error']))
    return classify(failureOf(404, body['error'], undefined));
  if (!isRecord(body['error'])) return null;
  const code = Number(body['error']['code']);
  return classify(failureOf(code >= 400 && code < 600 ? code : 502, body['error'], undefined));
}

function failureOf(status: number, body: unknown, headers: Headers | undefined): Failure {
  const fields = isRecord(body) ? body : { message: body };
  const codes = [fields['code'], fields['type']].filter((value) => typeof value === 'string');
  return {
    status,
    code: codes.find((code) => QUOTA_CODES.has(code) || REFUSAL_CODES.has(code)) ?? codes[0] ?? '',
    param: text(fields['param']),
    message: text(fields['message']),
    retryAfterMs: retryAfter(headers),
  };
}

function classify(failure: Failure): ProviderError {
  const { status, code, retryAfterMs } = failure;
  if (QUOTA_CODES.has(code) || status === 402) {
    return new ProviderError('quota', 'provider_quota_exceeded', 'The provider account is out of quota', retryAfterMs);
  }
  if (REFUSAL_CODES.has(code)) {
    return new ProviderError('refused', 'provider_refused', 'The provider declined the content');
  }
  return configurationFault(status, failure) ?? temporaryFault(status, retryAfterMs, failure) ?? inputFault(failure);
}

function configurationFault(status: number, failure: Failure): ProviderError | null {
  if (status === 401) return permanent('provider_unauthorized', 'The provider did not accept the key (HTTP 401)');
  if (status === 403) return permanent('provider_forbidden', 'The key may not use this model (HTTP 403)');
  if (status === 404) return notFound(failure);
  // Redirects are not followed: the content would go to an address nobody configured.
  if (status < 400) return permanent('provider_redirected', `The provider's address redirects (HTTP ${status})`);
  if (status === 405 || status === 501)
    return permanent('provider_unsupported', `The provider has no such function (HTTP ${status})`);
  return null;
}

function notFound(failure: Failure): ProviderError {
  if (failure.code === 'model_not_found' || /model/i.test(failure.message)) {
    return permanent('provider_model_not_found', 'The provider has no such model (HTTP 404)');
  }
  return permanent('provider_endpoint_not_found', "The provider's address has no such function (HTTP 404)");
}

function temporaryFault(status: number, retryAfterMs: number | null, failure: Failure): ProviderError | null {
  if (status === 429) {
    return new ProviderError(
      'retryable',
      'provider_rate_limited',
      'The provider asks to slow down (HTTP 429)',
      retryAfterMs,
    );
  }
  // Compatible servers also answer 500 for a format they cannot serve; the message tells.
  if (status >= 500 && isAboutFormat(failure)) return null;
  if (status >= 500 || status === 408 || status === 409 || status === 425) {
    return new ProviderError('retryable', 'provider_unavailable', `The provider failed (HTTP ${status})`, retryAfterMs);
  }
  return null;
}

function inputFault(failure: Failure): ProviderError {
  if (failure.status === 413 || TOO_LARGE_CODES.has(failure.code)) {
    return permanent('provider_input_too_large', `The input is too large for the provider (HTTP ${failure.status})`);
  }
  return new RejectedRequestError(failure.status, isAboutFormat(failure));
}

function isAboutFormat(failure: Failure): boolean {
  return FORMAT_WORDS.test(failure.param) || FORMAT_WORDS.test(failure.message);
}

function permanent(code: string, message: string): ProviderError {
  return new ProviderError('permanent', code, message);
}

/** Milliseconds from `retry-after-ms`, or from `Retry-After` as seconds or as an HTTP date. */
function retryAfter(headers: Headers | undefined): number | null {
  const millis = parseDelay(headers?.get('retry-after-ms'), 1);
  const delay = millis ?? parseDelay(headers?.get('retry-after'), 1_000) ?? untilDate(headers?.get('retry-after'));
  if (delay === null) return null;
  return Math.min(Math.max(Math.ceil(delay), 0), MAX_RETRY_AFTER_MS);
}

function parseDelay(value: string | null | undefined, unitMs: number): number | null {
  if (value === null || value === undefined || !/^\s*\d+(\.\d+)?\s*$/.test(value)) return null;
  return Number(value) * unitMs;
}

function untilDate(value: string | null | undefined): number | null {
  const time = Date.parse(value ?? '');
  return Number.isNaN(time) ? null : time - Date.now();
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** A plain JSON object (not null, not an array). */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
