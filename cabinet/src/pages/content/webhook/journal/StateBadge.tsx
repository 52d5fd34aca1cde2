import type { Delivery } from '../../../../data/webhooks/webhooks.ts';
import { Badge } from '../../../../ui/messages/Badge.tsx';
import { useWords } from '../../../../words/preferences.tsx';
import { stateOf, STATE_TONES } from './deliveryState.ts';

export function StateBadge({ delivery }: { delivery: Delivery }) {
  const { delivery: words } = useWords();
  const state = stateOf(delivery);
  return <Badge tone={STATE_TONES[state]}>{words.states[state]}</Badge>;
}
