import type { ItemStatus } from '../../data/items/items.ts';
import { useWords } from '../../words/preferences.tsx';
import { Badge, type Tone } from './Badge.tsx';

const TONES: Record<ItemStatus, Tone> = {
  queued: 'quiet',
  processing: 'busy',
  ready: 'good',
  partial: 'warn',
  failed: 'bad',
  deferred: 'warn',
};

/** Shows an item's status in a word. */
export function Status({ status }: { status: ItemStatus }) {
  return <Badge tone={TONES[status]}>{useWords().statuses[status]}</Badge>;
}
