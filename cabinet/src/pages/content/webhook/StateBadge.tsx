import type { Delivery } from '../../../data/webhooks.ts';
import { Badge } from '../../../ui/Badge.tsx';
import { useWords } from '../../../words/preferences.tsx';
import { stateOf, STATE_TONES } from './deliveryState.ts';

export function StateBadge({ delivery }: { delivery: Delivery }) {
  const { delivery: words } = useWords();
  const state = stateOf(delivery);
  return <Badge tone={STATE_TONES[state]}>{words.states[state]}</Badge>;
}
