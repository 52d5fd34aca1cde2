/**
 * How a provider call can fail.
 * - `retryable`: overloaded, timed out, broken answer; try again after `retryAfterMs` if given.
 * - `quota`: the account is out of quota; quick retries cannot help, a later try may.
 * - `permanent`: this input or this configuration will never work.
 * - `refused`: the provider declined the content; never retried.
 */
export type ProviderErrorKind = 'retryable' | 'quota' | 'permanent' | 'refused';

/** The one error a provider throws. `message` is safe to store: no key, no content, no URL. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly kind: ProviderErrorKind;
  /** Short snake_case code shown in `processing_errors`, e.g. `provider_overloaded`. */
  readonly code: string;
  readonly retryAfterMs: number | null;

  constructor(kind: ProviderErrorKind, code: string, message: string, retryAfterMs: number | null = null) {
    super(message);
    this.kind = kind;
    this.code = code;
    this.retryAfterMs = retryAfterMs;
  }
}
