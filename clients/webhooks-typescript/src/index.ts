/** Checks the webhook requests that Attune sends, and returns their events. */
export { readRawBody } from './body.ts';
export { WebhookVerificationError, type WebhookFault } from './error.ts';
export type {
  ItemFailed,
  ItemProcessed,
  Moderation,
  StepState,
  WebhookEvent,
  WebhookItem,
  WebhookSummary,
  WebhookTest,
} from './event.ts';
export type { WebhookHeaders } from './headers.ts';
export { verifyWebhook, type VerifyOptions } from './verify.ts';
