import type { Item } from '../../../../data/items/items.ts';
import type { Words } from '../../../../words/en/index.ts';

type State = Item['processing'][keyof Item['processing']];

/** Returns a placeholder for the result of a step; null if no result will follow without action. */
export function pendingText(state: State, words: Words['item']): string | null {
  if (state === 'queued' || state === 'running') return words.waiting;
  return state === 'deferred' || state === 'waiting' ? words.deferred : null;
}
