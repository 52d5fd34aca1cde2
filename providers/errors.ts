/**
 * Kinds of failures of a provider call.
 * - `retryable`: overloaded, timed out, malformed answer; retry after `retryAfterMs` if given.
 * - `quota`: the account is out of quota; quick retries cannot help, a later one may.
 * - `permanent`: this input or this configuration will never work.
 * - `refused`: the provider declined the content; never retried.
 */
export type ProviderErrorKind = 'retryable' | 'quota' | 'permanent' | 'refused';

/**
 * Every code of a provider's error, with its cause. The cabinet has a text and a remedy for each code
 * (test/cabinet/errorCodes.test.ts).
 * - `settings`: the installation's settings, so every step waits until an operator changes them.
 * - `function`: as `settings`; the server lacks the function, so the built-in provider moderates instead.
 * - `answer`: an answer that cannot be used, although the server is neither down nor overloaded.
 * - `request`: the server never accepts this request, but may accept others.
 * - `call`: anything else about one input, or about the server at that time.
 */
const CAUSES = {
  provider_bad_answer: 'answer',
  provider_timeout: 'call',
  provider_unreachable: 'call',
  provider_quota_exceeded: 'call',
  provider_refused: 'call',
  provider_content_filter: 'call',
  provider_unauthorized: 'settings',
  provider_forbidden: 'settings',
  provider_redirected: 'settings',
  provider_unsupported: 'function',
  provider_model_not_found: 'settings',
  provider_endpoint_not_found: 'function',
  provider_rate_limited: 'call',
  provider_unavailable: 'call',
  provider_input_too_large: 'request',
  provider_answer_truncated: 'answer',
  provider_bad_request: 'request',
  no_speech_provider: 'call',
  no_content: 'call',
  no_audio: 'call',
  nothing_to_summarise: 'call',
  empty_text: 'call',
  batch_too_large: 'call',
  text_too_complex: 'call',
  text_analysis_failed: 'call',
  analysis_interrupted: 'call',
  subtitles_unreadable: 'call',
  frames_unreadable: 'call',
  audio_timeout: 'call',
  audio_interrupted: 'call',
  audio_unreadable: 'call',
  ffmpeg_missing: 'settings',
} as const satisfies Record<string, Cause>;
type Cause = 'settings' | 'function' | 'answer' | 'request' | 'call';
export type ProviderCode = keyof typeof CAUSES;
type UnusableAnswer = { [C in ProviderCode]: (typeof CAUSES)[C] extends 'answer' ? C : never }[ProviderCode];

export const PROVIDER_CODES = Object.keys(CAUSES) as ProviderCode[];

/** Returns true when the fault lasts until an operator fixes the installation's settings. */
export function isSettingsFault(code: string): boolean {
  return hasCause(code, 'settings') || hasCause(code, 'function');
}

/** Returns true for the codes of answers that cannot be used. */
export function isUnusableAnswer(code: string): boolean {
  return hasCause(code, 'answer');
}

export function hasCause(code: string, cause: Cause): boolean {
  return PROVIDER_CODES.some((known) => known === code && CAUSES[known] === cause);
}

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
 * The model answered with something other than what it was asked for, or without end. Its input may have told it to do
 * so, so the same model may answer properly about other inputs, or at another attempt.
 */
export class UnusableAnswerError extends ProviderError {
  constructor(code: UnusableAnswer, problem: string) {
    super('retryable', code, `The provider's answer is unusable: ${problem}`);
  }
}

/**
 * The model, or a gateway in front of it, answered nothing. Gateways do so while a model is overloaded, but also for an
 * input about which a model says nothing.
 */
export class EmptyAnswerError extends UnusableAnswerError {
  constructor() {
    super('provider_bad_answer', 'it is empty');
  }
}

/** A voice detector does not work. No item is affected: speech is then recognised without the detector. */
export class VoiceDetectorError extends Error {
  override readonly name = 'VoiceDetectorError';
}
