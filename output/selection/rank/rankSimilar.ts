/** Ranks items similar to one: by content, or by what else is known about it while it has no vector. */
import { offerAllowed, pickedFrom } from './bestAllowed.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { RankAnswer, SimilarQuestion } from '../../messages/selectionMessages.ts';
import type { NeighbourList } from '../vectors/neighbourLists.ts';
import { pickerOf, type Picked, type Picker } from './allowedPicker.ts';
import { rankRecent } from './rankRecent.ts';
import { TopSlots, type ScoredSlots } from '../vectors/topSlots.ts';

/** Scores have four digits. */
const ROUNDING = 1e-4;

export function rankSimilar(catalogue: Catalogue, question: SimilarQuestion): RankAnswer {
  const subject = catalogue.slotOf(question.item);
  const model = subject === undefined ? null : catalogue.vectors.modelOf(subject);
  const pick = pickerOf(catalogue, question);
  if (subject === undefined || model === null) return rankRecent(catalogue, question, pick);
  const near = catalogue.neighboursOf(subject);
  const kept = pick.from(ordered(catalogue, near, pick));
  const isCut = near.floor !== null;
  // Upper bound of scores of items that are not in the list.
  const beyond = pick.isPlain ? 0 : (near.floor ?? 0) * pick.maxFactor;
  const isEnough = kept.ranked.length >= question.limit && (kept.ranked.at(-1)?.score ?? 0) >= beyond - ROUNDING;
  const { ranked, isAll } = isCut && !isEnough ? scan(catalogue, subject, pick) : kept;
  return {
    model,
    mode: 'contextual',
    // A truncated list only has the first items.
    isAll: isAll && !(isCut && isEnough),
    ranked: ranked.map((one) => ({ ...one, reason: { code: 'similar', item: question.item } })),
  };
}

/** Returns the cached neighbours with the scores that the question gives them. */
function ordered(catalogue: Catalogue, near: NeighbourList, pick: Picker): ScoredSlots {
  if (pick.isPlain) return near;
  const top = new TopSlots(near.slots.length);
  for (const [at, slot] of near.slots.entries()) {
    const item = catalogue.itemAt(slot);
    if (item) top.offer(slot, pick.scoreOf(item, near.scores[at] ?? 0));
  }
  return top.take();
}

/** Compares all similar items, for rules that hardly any cached neighbour passes. */
function scan(catalogue: Catalogue, subject: number, pick: Picker): Picked {
  const top = new TopSlots(pick.enough);
  offerAllowed(top, { catalogue, pick }, catalogue.allNearTo(subject));
  return pickedFrom(top, pick);
}
