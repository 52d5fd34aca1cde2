/**
 * Converts every failure of a call to an OpenAI-compatible server to a ProviderError. Messages are written here and
 * never copied from the server: servers quote keys, addresses and the caller's content.
 */
import { APIConnectionError, APIConnectionTimeoutError, APIError } from 'openai';
import { ProviderError, type ProviderCode } from '../../errors.ts';
import { isRecord } from '../../../domain/isRecord.ts';
import {
  FORMAT_WORDS,
  LIMIT_WORDS,
  MODEL_MISSING_WORDS,
  PICTURE_LIMIT_WORDS,
  QUOTA_CODES,
  REFUSAL_CODES,
  STREAM_ONLY_STATUSES,
  STREAM_ONLY_WORDS,
  TOO_LARGE_CODES,
  TOO_LARGE_WORDS,
  UNSUPPORTED_WORDS,
} from './errorWordings.ts';
import { retryAfter } from './retryAfter.ts';

/**
 * The server understood the request and rejected it (400, 422). `aboutFormat`: it named the answer's format as the
 * reason, so another format may be tried. `maxPictures`: the number of pictures that it accepts, if it named that.
 */
export class RejectedRequestError extends ProviderError {
  readonly aboutFormat: boolean;
  readonly maxPictures: number | null;

  constructor(status: number, reason: { aboutFormat: boolean; maxPictures: number | null }) {
    super('permanent', 'provider_bad_request', `The provider rejected the request (HTTP ${status})`);
    this.aboutFormat = reason.aboutFormat;
    this.maxPictures = reason.maxPictures;
  }
}

/** A gateway, such as nginx (504) or Cloudflare (524), did not wait for the server: it is slow, or down. */
export class GatewayTimeoutError extends ProviderError {
  constructor(status: number, retryAfterMs: number | null) {
    super('retryable', 'provider_unavailable', `The provider failed (HTTP ${status})`, retryAfterMs);
  }
}

/** Nobody answered: the server is down or restarting, perhaps because of the input. */
export class ServerUnavailableError extends ProviderError {
  constructor(
    code: 'provider_unreachable' | 'provider_unavailable',
    problem: string,
    retryAfterMs: number | null = null,
  ) {
    super('retryable', code, problem, retryAfterMs);
  }
}

/** The input is too large for the server. */
export class InputTooLargeError extends ProviderError {
  /** Tokens that the server reads at once, if it named them. */
  readonly limitTokens: number | null;

  constructor(problem: string, limitTokens: number | null = null) {
    super('permanent', 'provider_input_too_large', problem);
    this.limitTokens = limitTokens;
  }
}

/** The answer is unusable; another attempt may succeed. */
export function badAnswer(what: string): ProviderError {
  return new ProviderError('retryable', 'provider_bad_answer', `The provider's answer is unusable: ${what}`);
}

/** The parts of an error answer that the mapping uses. */
interface Failure {
  status: number;
  code: string;
  param: string;
  message: string;
  retryAfterMs: number | null;
}

/**
 * Maps any error of the SDK or fetch.
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
  return new ServerUnavailableError('provider_unreachable', 'The connection to the provider failed');
}

/**
 * Recognises errors with status 200: some gateways send an `error` object, and a common local server a sentence for a
 * missing endpoint. Returns null if `body` is not such an answer.
 */
export function errorInBody(body: unknown): ProviderError | null {
  if (!isRecord(body) || ['choices', 'data', 'results', 'text'].some((key) => key in body)) return null;
  if (typeof body['error'] === 'string') return errorInText(body['error']);
  if (!isRecord(body['error'])) return null;
  const code = Number(body['error']['code']);
  return classify(failureOf(code >= 400 && code < 600 ? code : 502, body['error'], undefined));
}

/** A common local server sends a text instead of an error object, with status 200. */
function errorInText(message: string): ProviderError {
  if (TOO_LARGE_WORDS.test(message)) return classify(failureOf(400, message, undefined));
  return classify(failureOf(/endpoint|not found/i.test(message) ? 404 : 502, message, undefined));
}

function failureOf(status: number, body: unknown, headers: Headers | undefined): Failure {
  const fields = isRecord(body) ? body : { message: body };
  const codes = [fields['code'], fields['type']].filter((value) => typeof value === 'string');
  return {
    status,
    code: codes.find((code) => QUOTA_CODES.has(code) || REFUSAL_CODES.has(code)) ?? codes[0] ?? '',
    param: text(fields['param']),
    message: text(fields['message']) || text(fields['detail']),
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
  if (status >= 400 && UNSUPPORTED_WORDS.test(failure.message)) return unsupported(status);
  if (STREAM_ONLY_STATUSES.has(status) && STREAM_ONLY_WORDS.test(failure.message)) return unsupported(status);
  if (status === 404 || isModelMissing(failure)) return notFound(failure);
  // Redirects are not followed: the content would go to an address that nobody configured.
  if (status < 400) return permanent('provider_redirected', `The provider's address redirects (HTTP ${status})`);
  return status === 405 || status === 501 ? unsupported(status) : null;
}

function unsupported(status: number): ProviderError {
  return permanent('provider_unsupported', `The provider has no such function (HTTP ${status})`);
}

function isModelMissing({ status, code, message }: Failure): boolean {
  return status === 400 && (code === 'model_not_found' || MODEL_MISSING_WORDS.test(message));
}

function notFound(failure: Failure): ProviderError {
  if (failure.code === 'model_not_found' || /model/i.test(failure.message)) {
    return permanent('provider_model_not_found', `The provider has no such model (HTTP ${failure.status})`);
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
  // Compatible servers also answer 500 for an unsupported format or a context that is too small.
  if (status >= 500 && (isAboutFormat(failure) || isTooLarge(failure))) return null;
  const problem = `The provider failed (HTTP ${status})`;
  if (status === 504 || status === 524) return new GatewayTimeoutError(status, retryAfterMs);
  // A gateway whose server is down, or a server that is loading its model.
  if (status === 502 || status === 503)
    return new ServerUnavailableError('provider_unavailable', problem, retryAfterMs);
  if (status >= 500 || status === 408 || status === 409 || status === 425) {
    return new ProviderError('retryable', 'provider_unavailable', problem, retryAfterMs);
  }
  return null;
}

function inputFault(failure: Failure): ProviderError {
  if (isTooLarge(failure)) {
    const problem = `The input is too large for the provider (HTTP ${failure.status})`;
    return new InputTooLargeError(problem, namedLimit(LIMIT_WORDS, failure));
  }
  const maxPictures = namedLimit([PICTURE_LIMIT_WORDS], failure);
  return new RejectedRequestError(failure.status, { aboutFormat: isAboutFormat(failure), maxPictures });
}

function namedLimit(wordings: readonly RegExp[], { message }: Failure): number | null {
  const [limit = 0] = wordings.flatMap((wording) => Number(wording.exec(message)?.[1] ?? 0) || []);
  return limit > 0 ? limit : null;
}

function isTooLarge({ status, code, message }: Failure): boolean {
  return status === 413 || TOO_LARGE_CODES.has(code) || TOO_LARGE_WORDS.test(message);
}

function isAboutFormat(failure: Failure): boolean {
  return FORMAT_WORDS.test(failure.param) || FORMAT_WORDS.test(failure.message);
}

function permanent(code: ProviderCode, message: string): ProviderError {
  return new ProviderError('permanent', code, message);
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
