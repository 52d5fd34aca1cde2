/** What is like one item: by content, or by what is known of the item while there is no content to compare. */
import { similarityOf } from '../../domain/output/similarity.ts';
import type { Catalogue } from './catalogue.ts';
import type { RankAnswer, SimilarQuestion } from './messages.ts';
import type { NeighbourList } from './neighbourLists.ts';
import { pickerOf, type Picked, type Picker } from './picker.ts';
import { rankRecent } from './rankRecent.ts';
import { TopSlots, type ScoredSlots } from './topSlots.ts';

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
  // What is not in the list could come up to here.
  const beyond = pick.isPlain ? 0 : (near.floor ?? 0) * pick.mostFactor;
  const isEnough = kept.ranked.length >= question.limit && (kept.ranked.at(-1)?.score ?? 0) >= beyond - ROUNDING;
  const { ranked, isAll } = isCut && !isEnough ? scan(catalogue, subject, pick) : kept;
  return {
    model,
    mode: 'contextual',
    // A list that was cut only says what comes first.
    isAll: isAll && !(isCut && isEnough),
    ranked: ranked.map((one) => ({ ...one, reason: { code: 'similar', item: question.item } })),
  };
}

/** The kept neighbours by the scores that the question makes of theirs. */
function ordered(catalogue: Catalogue, near: NeighbourList, pick: Picker): ScoredSlots {
  if (pick.isPlain) return near;
  const top = new TopSlots(near.slots.length);
  for (const [at, slot] of near.slots.entries()) {
    const item = catalogue.itemAt(slot);
    if (item) top.offer(slot, pick.scoreOf(item, near.scores[at] ?? 0));
  }
  return top.take();
}

/** All items, for rules that hardly any neighbour passes: rules cost more than a comparison, and are asked last. */
function scan(catalogue: Catalogue, subject: number, pick: Picker): Picked {
  const { least } = similarityOf(catalogue.vectors.modelOf(subject) ?? '');
  const top = new TopSlots(pick.enough);
  const cosines = catalogue.compareAll(subject);
  let { bar } = top;
  for (let slot = 0; slot < cosines.length; slot += 1) {
    const cosine = cosines[slot] as number;
    if (!(cosine >= least) || slot === subject || cosine * pick.mostFactor <= bar) continue;
    const item = catalogue.itemAt(slot);
    if (!item || !pick.isAllowed(item)) continue;
    top.offer(slot, pick.scoreOf(item, cosine));
    ({ bar } = top);
  }
  const { ranked, isAll } = pick.from(top.take());
  return { ranked, isAll: isAll && !top.isCut };
}
