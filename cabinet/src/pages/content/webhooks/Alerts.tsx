import { alertsOf } from '../../../data/installation/troubles.ts';
import type { Webhook } from '../../../data/webhooks/webhooks.ts';
import { Notice } from '../../../ui/messages/Notice.tsx';
import { useFormat } from '../../../words/format.ts';
import { useWords } from '../../../words/preferences.tsx';
import { aboutHealth } from './health.ts';

/** Shows urgent problems of a webhook: it accepts no new events, or has failed for long. */
export function Alerts({ webhook, isOnList = false }: { webhook: Webhook; isOnList?: boolean }) {
  const words = useWords();
  const format = useFormat();
  const alerts = alertsOf(webhook);
  if (alerts.length === 0) return null;
  const isSlight = alerts.every((alert) => alert === 'failing_1h');
  return (
    <Notice tone={isSlight ? 'warn' : 'bad'} title={alerts.map((alert) => words.webhooks.alerts[alert]).join(' · ')}>
      {/* The webhook's row in the list has the rest. */}
      <p>{isOnList ? webhook.url : aboutHealth(webhook, words, format).join(' ')}</p>
    </Notice>
  );
}
