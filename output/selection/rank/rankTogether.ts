/** Ranks what is bought or used with the items of a cart: by what was ordered together, then by similarity. */
import { USUAL_PERIOD } from '../../../domain/output/popularity.ts';
import { offerAllowed, pickedFrom } from './bestAllowed.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { RankAnswer, RankedItem, TogetherQuestion } from '../../messages/selectionMessages.ts';
import { modelFor } from '../catalogue/modelFor.ts';
import { PartScores } from './scores/partScores.ts';
import { addNeighbours, addRows, slotsOf, type WeightedSlot } from './personParts.ts';
import { pickerOf, type Picker } from './allowedPicker.ts';
import { rankByPopularity } from './rankPopular.ts';
import { TopSlots } from '../vectors/topSlots.ts';
import { RANKED_DIGITS } from '../../scoreDigits.ts';

/** Scores of merely similar items are below this, scores of items that go together above it. */
const SIMILAR_BELOW = 0.5;

const together = new PartScores();
const content = new PartScores();

export function rankTogether(catalogue: Catalogue, question: TogetherQuestion): RankAnswer {
  const model = modelFor(catalogue, question) ?? catalogue.pairs;
  const pick = pickerOf(catalogue, question);
  const cart = slotsOf(
    catalogue,
    question.items.map((item) => ({ item, weight: 1 })),
  );
  together.reset(catalogue.size);
  content.reset(catalogue.size);
  if (model) addRows(together, model.together, cart);
  addNeighbours(content, catalogue, cart, catalogue.newBudget());
  const hasPairs = together.largest() > 0;
  const compared = cart.find(({ slot }) => catalogue.vectors.modelOf(slot) !== null);
  // Nothing is known about the cart; popular items are better than nothing.
  if (!hasPairs && !compared)
    return rankByPopularity(catalogue, { period: USUAL_PERIOD, trend: false, region: null }, pick);
  let found = rankParts(catalogue, pick, cart);
  if (found.ranked.length < question.limit && compared) {
    addAllLike(catalogue, compared, cart.indexOf(compared));
    found = rankParts(catalogue, pick, cart);
  }
  const vectors = compared ? catalogue.vectors.modelOf(compared.slot) : null;
  return { ...found, model: hasPairs ? (model?.id ?? null) : vectors, mode: 'contextual' };
}

type Found = Pick<RankAnswer, 'ranked' | 'isAll'>;

function rankParts(catalogue: Catalogue, pick: Picker, cart: readonly WeightedSlot[]): Found {
  const largest = together.largest();
  const top = new TopSlots(pick.enough);
  offerAllowed(top, { catalogue, pick }, scored(together.touched, largest));
  const onlyLike = content.touched.filter((slot) => !((together.values[slot] ?? 0) > 0));
  offerAllowed(top, { catalogue, pick }, scored(onlyLike, largest));
  const { ranked, isAll } = pickedFrom(top, pick);
  return {
    ranked: ranked.map((one) => ({ ...one, ...explanationOf(catalogue.slotOf(one.id) ?? -1, cart) })),
    isAll,
  };
}

/** Returns those of the slots that are related to the cart, with their scores. */
function scored(slots: Uint32Array, largest: number): { slots: Uint32Array; scores: Float32Array } {
  const found = slots.filter((slot) => scoreOf(slot, largest) > 0);
  return { slots: found, scores: Float32Array.from(found, (slot) => scoreOf(slot, largest)) };
}

function scoreOf(slot: number, largest: number): number {
  const pairs = together.values[slot] ?? 0;
  if (pairs > 0) return SIMILAR_BELOW + (1 - SIMILAR_BELOW) * (pairs / largest);
  return SIMILAR_BELOW * (content.values[slot] ?? 0);
}

/** Returns the reason, which names the cart's item that contributes most. */
function explanationOf(slot: number, cart: readonly WeightedSlot[]): Pick<RankedItem, 'reason' | 'parts'> {
  const [pairs, likeness] = [together, content].map(({ values }) => Number((values[slot] ?? 0).toFixed(RANKED_DIGITS)));
  const isPair = (together.values[slot] ?? 0) > 0;
  const item = cart[(isPair ? together : content).sourceOf(slot)]?.id;
  return {
    reason: { code: isPair ? 'together' : 'similar', ...(item !== undefined && { item }) },
    parts: { ...(pairs && { together: pairs }), ...(likeness && { content: likeness }) },
  };
}

/** Adds all items similar to one item of the cart, for rules that hardly any cached neighbour passes. */
function addAllLike(catalogue: Catalogue, { slot: subject }: WeightedSlot, source: number): void {
  const { slots, scores } = catalogue.allNearTo(subject);
  for (let at = 0; at < slots.length; at += 1) content.raise(slots[at] as number, scores[at] as number, source);
}
