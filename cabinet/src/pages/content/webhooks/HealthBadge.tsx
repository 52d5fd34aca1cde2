import type { Webhook } from '../../../data/webhooks/webhooks.ts';
import { Badge } from '../../../ui/messages/Badge.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { healthOf, HEALTH_TONES } from './health.ts';

export function HealthBadge({ webhook }: { webhook: Webhook }) {
  const { webhooks } = useWords();
  const health = healthOf(webhook);
  return <Badge tone={HEALTH_TONES[health]}>{webhooks.health[health]}</Badge>;
}
