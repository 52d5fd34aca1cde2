/** Why a request is not accepted as genuine. The values are stable, so they can be used in metrics and logs. */
export type WebhookFault =
  /** `X-Core-Timestamp` or `X-Core-Signature` is absent. */
  | 'missing_header'
  /** A header that must not be repeated came more than once. */
  | 'duplicate_header'
  /** `X-Core-Timestamp` is not a whole number of seconds. */
  | 'bad_timestamp'
  /** The signature belongs to another body, timestamp or secret. */
  | 'bad_signature'
  /** Genuine, but signed more than 300 s ago: a replay, or a wrong clock. */
  | 'timestamp_too_old'
  /** Genuine, but signed more than 300 s ahead of this machine's clock. */
  | 'timestamp_in_future'
  /** The body is longer than it may be ({@link readRawBody}). */
  | 'body_too_large'
  /** Genuine, but not the JSON of an event. */
  | 'bad_body'
  /** `X-Core-Event` or `X-Core-Delivery` differs from the signed body. */
  | 'header_mismatch';

/** The request must not be acted upon. Answer 401; the message names headers, never values. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly reason: WebhookFault;

  constructor(reason: WebhookFault, message: string) {
    super(message);
    this.reason = reason;
  }
}
