/** What is bought or used with the items of a cart: by what was ordered together, then by what is like them. */
import { USUAL_PERIOD } from '../../domain/output/popularity.ts';
import { similarityOf } from '../../domain/output/similarity.ts';
import type { Catalogue } from './catalogue.ts';
import type { RankAnswer, RankedItem, TogetherQuestion } from './messages.ts';
import { modelFor } from './modelFor.ts';
import { PartScores } from './partScores.ts';
import { addNeighbours, addRows, slotsOf, type WeightedSlot } from './personParts.ts';
import { pickerOf, type Picker } from './picker.ts';
import { rankByPopularity } from './rankPopular.ts';
import { TopSlots } from './topSlots.ts';

/** What is only similar ends where what goes together begins. */
const SIMILAR_BELOW = 0.5;

const together = new PartScores();
const content = new PartScores();

export function rankTogether(catalogue: Catalogue, question: TogetherQuestion): RankAnswer {
  const model = modelFor(catalogue, question);
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
  // Nothing is known of the cart: what everybody likes is better than nothing.
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
  const most = together.largest();
  const top = new TopSlots(pick.enough);
  const offer = (slot: number): void => {
    const score = scoreOf(slot, most);
    // Slots come in no order.
    if (score <= 0 || score * pick.mostFactor < top.bar) return;
    const item = catalogue.itemAt(slot);
    if (item && pick.isAllowed(item)) top.offer(slot, pick.scoreOf(item, score));
  };
  for (const slot of together.touched) offer(slot);
  for (const slot of content.touched) if (!((together.values[slot] ?? 0) > 0)) offer(slot);
  const { ranked, isAll } = pick.from(top.take());
  return {
    ranked: ranked.map((one) => ({ ...one, ...tellOf(catalogue.slotOf(one.id) ?? -1, cart) })),
    isAll: isAll && !top.isCut,
  };
}

function scoreOf(slot: number, most: number): number {
  const pairs = together.values[slot] ?? 0;
  if (pairs > 0) return SIMILAR_BELOW + (1 - SIMILAR_BELOW) * (pairs / most);
  return SIMILAR_BELOW * (content.values[slot] ?? 0);
}

const DIGITS = 4;

/** The reason names the item of the cart that says most. */
function tellOf(slot: number, cart: readonly WeightedSlot[]): Pick<RankedItem, 'reason' | 'parts'> {
  const [pairs, likeness] = [together, content].map(({ values }) => Number((values[slot] ?? 0).toFixed(DIGITS)));
  const isPair = (together.values[slot] ?? 0) > 0;
  const item = cart[(isPair ? together : content).sourceOf(slot)]?.id;
  return {
    reason: { code: isPair ? 'together' : 'similar', ...(item !== undefined && { item }) },
    parts: { ...(pairs && { together: pairs }), ...(likeness && { content: likeness }) },
  };
}

/** For rules that hardly any kept neighbour passes: all that is like one item of the cart. */
function addAllLike(catalogue: Catalogue, { slot: subject }: WeightedSlot, source: number): void {
  const { least } = similarityOf(catalogue.vectors.modelOf(subject) ?? '');
  const cosines = catalogue.compareAll(subject);
  for (let slot = 0; slot < cosines.length; slot += 1)
    if ((cosines[slot] as number) >= least && slot !== subject) content.raise(slot, cosines[slot] as number, source);
}
