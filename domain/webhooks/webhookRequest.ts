/** The content of a webhook request: the events, the item in the body, the body and the headers. */
import { mapSteps, type ItemStatus, type StepStates } from '../analysis/steps.ts';
import { coreSignature, standardSignature } from './signature.ts';

/** The events to which a webhook can subscribe. */
export const SUBSCRIBABLE_EVENTS = ['item.processed', 'item.failed'] as const;
export type ItemEvent = (typeof SUBSCRIBABLE_EVENTS)[number];

export const TEST_EVENT = 'webhook.test';
export type WebhookEvent = ItemEvent | typeof TEST_EVENT;

/** The part of a summary that goes into the body. */
export interface WebhookSummary {
  summary: string;
  topics: string[];
  tags: string[];
  age_rating: string | null;
  moderation: Record<string, unknown> | null;
}

/** The item as it was when its status changed; `summary` and `moderation` are absent when there is none. */
export interface WebhookItem {
  id: string;
  status: ItemStatus;
  processing: StepStates;
  summary?: WebhookSummary;
  /** The same as `summary.moderation`, but present even if there is no summary. */
  moderation?: Record<string, unknown>;
}

/** The part of a delivery that stays the same over its attempts. */
export interface DeliveryContent {
  projectId: string;
  deliveryId: string;
  event: WebhookEvent;
  item: WebhookItem;
}

/**
 * Returns the body of one attempt. The same content and start always give the same bytes, so that the journal shows the
 * sent body without storing it.
 * @param startedAt start of this attempt, to the millisecond
 */
export function requestBody(content: DeliveryContent, startedAt: Date): string {
  const { id, status, processing, summary, moderation } = content.item;
  return JSON.stringify({
    event: content.event,
    project_id: content.projectId,
    sent_at: startedAt.toISOString(),
    delivery_id: content.deliveryId,
    item: {
      id,
      status,
      processing: inOrder(processing),
      ...(summary === undefined ? {} : { summary: trimmed(summary) }),
      ...(moderation === undefined ? {} : { moderation }),
    },
  });
}

/** The database does not keep the order of keys; the documented order is restored here. */
function inOrder(processing: StepStates): StepStates {
  return mapSteps((step) => processing[step]);
}

function trimmed({ summary, topics, tags, age_rating, moderation }: WebhookSummary): WebhookSummary {
  return { summary, topics, tags, age_rating, moderation };
}

export interface SignedRequest {
  headers: Record<string, string>;
  body: string;
}

/**
 * Returns the headers and body of one attempt: the documented X-Core-* headers, and those of Standard Webhooks, so that
 * any of its libraries can verify the request.
 * @param secret the webhook's signing secret, including `whsec_`
 * @param startedAt start of this attempt, to the millisecond
 * @param userAgent see {@link userAgentOf}
 */
export function signedRequest(
  content: DeliveryContent,
  secret: string,
  startedAt: Date,
  userAgent: string,
): SignedRequest {
  const body = requestBody(content, startedAt);
  const seconds = Math.floor(startedAt.getTime() / 1000);
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'User-Agent': userAgent,
    'X-Core-Event': content.event,
    'X-Core-Timestamp': String(seconds),
    'X-Core-Signature': coreSignature(secret, seconds, body),
    'X-Core-Delivery': content.deliveryId,
    'webhook-id': content.deliveryId,
    'webhook-timestamp': String(seconds),
    'webhook-signature': standardSignature(secret, content.deliveryId, seconds, body),
  };
  return { headers, body };
}

/** Returns `Attune/1.0` and the service's public address in parentheses. */
export function userAgentOf(publicUrl: string): string {
  return `Attune/1.0 (+${publicUrl})`;
}
