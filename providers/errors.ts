/**
 * Kinds of failures of a provider call.
 * - `retryable`: overloaded, timed out, malformed answer; retry after `retryAfterMs` if given.
 * - `quota`: the account is out of quota; quick retries cannot help, a later one may.
 * - `permanent`: this input or this configuration will never work.
 * - `refused`: the provider declined the content; never retried.
 */
export type ProviderErrorKind = 'retryable' | 'quota' | 'permanent' | 'refused';

/** Every code of a provider's error; the cabinet has words for each (test/cabinet/pipelineRules.test.ts). */
export const PROVIDER_CODES = [
  'provider_bad_answer',
  'provider_timeout',
  'provider_unreachable',
  'provider_quota_exceeded',
  'provider_refused',
  'provider_content_filter',
  'provider_unauthorized',
  'provider_forbidden',
  'provider_redirected',
  'provider_unsupported',
  'provider_model_not_found',
  'provider_endpoint_not_found',
  'provider_rate_limited',
  'provider_unavailable',
  'provider_input_too_large',
  'provider_answer_truncated',
  'provider_bad_request',
  'no_speech_provider',
  'no_content',
  'no_audio',
  'nothing_to_summarise',
  'empty_text',
  'batch_too_large',
  'text_too_complex',
  'text_analysis_failed',
  'analysis_interrupted',
  'subtitles_unreadable',
  'frames_unreadable',
  'audio_timeout',
  'audio_interrupted',
  'audio_unreadable',
  'ffmpeg_missing',
] as const;
export type ProviderCode = (typeof PROVIDER_CODES)[number];

/** The only error that providers throw. `message` is safe to store: no key, no content, no URL. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly kind: ProviderErrorKind;
  /** Shown in `processing_errors`. */
  readonly code: ProviderCode;
  readonly retryAfterMs: number | null;

  constructor(kind: ProviderErrorKind, code: ProviderCode, message: string, retryAfterMs: number | null = null) {
    super(message);
    this.kind = kind;
    this.code = code;
    this.retryAfterMs = retryAfterMs;
  }
}

/**
 * The model answered with something else than it was asked for, or without end. Its input may have told it to, so the
 * same model may answer properly about other inputs; so may another attempt.
 */
export class UnusableAnswerError extends ProviderError {
  constructor(code: 'provider_bad_answer' | 'provider_answer_truncated', problem: string) {
    super('retryable', code, `The provider's answer is unusable: ${problem}`);
  }
}

/** A voice detector does not work. No item is affected: speech is then recognised without the detector. */
export class VoiceDetectorError extends Error {
  override readonly name = 'VoiceDetectorError';
}
