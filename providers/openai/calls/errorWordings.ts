/** The codes and words by which the errors of OpenAI-compatible servers are told apart. */

export const QUOTA_CODES = new Set(['insufficient_quota', 'billing_hard_limit_reached', 'billing_not_active']);
export const REFUSAL_CODES = new Set(['content_filter', 'content_policy_violation', 'moderation_blocked']);
export const TOO_LARGE_CODES = new Set([
  'context_length_exceeded',
  'string_above_max_length',
  'too_large',
  'exceed_context_size_error',
]);
/** Messages of servers without an error code for a context that is too small (docs/providers.md lists them). */
export const TOO_LARGE_WORDS =
  /maximum context length|context (?:size|length|window)|n_keep \(\d+\) ?>= ?n_ctx|context the overflows|prompt is too long|too many tokens|max_tokens must be at least 1|too large to process/i;
/** Where such messages name the limit, in tokens. */
export const LIMIT_WORDS = [
  /maximum context length is (\d+)/i,
  /context (?:size|length) \((\d+) tokens/i,
  /n_ctx:? \(?(\d+)/i,
  /loaded with (\d+)/i,
  /batch size: (\d+)/i,
  /less than (\d+) tokens/i,
];
/** A server that accepts fewer pictures in one request than it was sent. */
export const PICTURE_LIMIT_WORDS = /at most (\d+) images?\b/i;
/** Messages with status 400 for a model that is not there; other servers answer 404. */
export const MODEL_MISSING_WORDS = /^(?:no models? loaded|failed to load model|invalid model identifier)/i;
/**
 * A model that reads no pictures; the status is 200, 400, 404 or 500 (docs/providers.md lists the servers). Messages
 * about one picture, such as one in an unknown format, must not be among them.
 */
export const UNSUPPORTED_WORDS =
  /image input is not supported|missing data required for image input|is not a multimodal model|not support (?:images\b(?! (?:larger|smaller|bigger|of|with|in|over)\b)|image input|vision\b)|found that support image input|image_url is only supported by|unknown variant `image_url`/i;
/** A model that can only stream its answers, as some of Alibaba's models and some gateways do. */
export const STREAM_ONLY_WORDS =
  /only supports? stream(?:ing|s)?\b|must be (?:set to )?false for non-streaming|please enable the stream parameter/i;
/** With other statuses the fault may be temporary, such as a limit for calls without streaming. */
export const STREAM_ONLY_STATUSES: ReadonlySet<number> = new Set([400, 404, 422]);
export const FORMAT_WORDS =
  /response_format|json_schema|json_object|verbose_json|diarized_json|timestamp_granularities|chunking_strategy|structured output|grammar/i;
