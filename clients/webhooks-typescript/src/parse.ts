import { WebhookVerificationError } from './error.ts';
import type { WebhookEvent } from './event.ts';

/**
 * Returns the event in a body whose signature was verified. Only the fields that every event has are checked, because
 * later versions may add others.
 * @throws {WebhookVerificationError} `bad_body`
 */
export function parseEvent(body: Uint8Array): WebhookEvent {
  const event = parseJson(body);
  if (!isEvent(event)) throw new WebhookVerificationError('bad_body', 'the body is not an event');
  return event;
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body));
  } catch {
    throw new WebhookVerificationError('bad_body', 'the body is not JSON in UTF-8');
  }
}

function isEvent(value: unknown): value is WebhookEvent {
  if (!isObject(value) || !isObject(value['item'])) return false;
  const { event, project_id, sent_at, delivery_id, item } = value;
  return [event, project_id, sent_at, delivery_id, item['id'], item['status']].every(
    (text) => typeof text === 'string',
  );
}

function isObject(value: unknown): value is Record<string, unknown> & { item: Record<string, unknown> } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
