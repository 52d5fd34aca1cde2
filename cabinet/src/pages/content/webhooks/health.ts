/** The health of a webhook, as one word of the dictionary. */
import type { Webhook } from '../../../data/webhooks/webhooks.ts';
import type { Tone } from '../../../ui/messages/Badge.tsx';
import type { Format } from '../../../words/format.ts';
import type { Words } from '../../../words/en/index.ts';

export type Health = keyof Words['webhooks']['health'];

export const HEALTH_TONES: Record<Health, Tone> = {
  good: 'good',
  off: 'quiet',
  failing: 'bad',
  held: 'warn',
  backlog: 'bad',
};

/** Returns the worst applicable state. */
export function healthOf({ enabled, backlog_since, held_until, failing_since }: Webhook): Health {
  if (!enabled) return 'off';
  if (backlog_since !== null) return 'backlog';
  if (held_until !== null) return 'held';
  return failing_since === null ? 'good' : 'failing';
}

/** Returns all details as sentences. */
export function aboutHealth(webhook: Webhook, { webhooks: { about } }: Words, { moment }: Format): string[] {
  const { enabled, backlog_since: full, held_until: held, failing_since: failing } = webhook;
  if (!enabled) return [about.off];
  const troubles = [
    ...(full === null ? [] : [about.backlog(moment(full))]),
    ...(failing === null ? [] : [about.failing(moment(failing))]),
    ...(held === null ? [] : [about.held(moment(held))]),
  ];
  return troubles.length > 0 ? troubles : [about.good];
}
