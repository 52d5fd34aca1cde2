/** The state of a delivery, as a word of the dictionary and as a sentence. */
import type { Delivery } from '../../../../data/webhooks/webhooks.ts';
import type { Tone } from '../../../../ui/messages/Badge.tsx';
import type { Format } from '../../../../words/format.ts';
import type { Words } from '../../../../words/en/index.ts';
import { failureText } from './failureText.ts';

export type DeliveryState = keyof Words['delivery']['states'];

export const STATE_TONES: Record<DeliveryState, Tone> = {
  queued: 'busy',
  held: 'warn',
  sending: 'busy',
  retrying: 'warn',
  delivered: 'good',
  failed: 'bad',
  dropped: 'quiet',
};

export function stateOf({ status, attempt, next_attempt_at: next }: Delivery): DeliveryState {
  if (status !== 'pending') return status;
  if (next === null) return attempt === 0 ? 'queued' : 'sending';
  return attempt === 0 ? 'held' : 'retrying';
}

/** Returns what happened, and what follows. */
export function storyOf(delivery: Delivery, words: Words, { moment }: Format): string {
  const { attempt, response_status: status, next_attempt_at: next, obstacle } = delivery;
  const { delivery: texts } = words;
  switch (stateOf(delivery)) {
    case 'queued':
      return texts.queued;
    case 'held':
      return texts.held(moment(next ?? ''));
    case 'sending':
      return texts.sending;
    case 'retrying':
      return `${failureText(delivery, words)} ${texts.nextAt(moment(next ?? ''))}`.trim();
    case 'delivered':
      return texts.delivered(attempt, String(status ?? '2xx'));
    case 'failed':
      return failureText(delivery, words);
    case 'dropped':
      return obstacle === null ? texts.notSent : texts.obstacles[obstacle];
  }
}
