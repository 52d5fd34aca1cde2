/** What is like one item: by content, or by what is known of the item while there is no content to compare. */
import { similarityOf } from '../../domain/output/similarity.ts';
import type { Catalogue } from './catalogue.ts';
import type { RankAnswer, SimilarQuestion } from './messages.ts';
import { pickerOf, type Picked, type Picker } from './picker.ts';
import { rankRecent } from './rankRecent.ts';
import { TopSlots } from './topSlots.ts';

export function rankSimilar(catalogue: Catalogue, question: SimilarQuestion): RankAnswer {
  const subject = catalogue.slotOf(question.item);
  const model = subject === undefined ? null : catalogue.vectors.modelOf(subject);
  const pick = pickerOf(catalogue, question);
  if (subject === undefined || model === null) return rankRecent(catalogue, question, pick);
  const near = catalogue.neighboursOf(subject);
  const kept = pick.from(near);
  const isCut = near.floor !== null;
  const { ranked, isAll } = isCut && kept.ranked.length < question.limit ? scan(catalogue, subject, pick) : kept;
  return {
    model,
    mode: 'contextual',
    // A list that was cut only says what comes first.
    isAll: isAll && !(isCut && kept.ranked.length >= question.limit),
    ranked: ranked.map(({ id, score }) => ({ id, score, reason: { code: 'similar', item: question.item } })),
  };
}

/** All items, for rules that hardly any neighbour passes: the rules first, since they cost less than a comparison. */
function scan(catalogue: Catalogue, subject: number, pick: Picker): Picked {
  const score = catalogue.vectors.scorer(subject);
  const { least } = similarityOf(catalogue.vectors.modelOf(subject) ?? '');
  const top = new TopSlots(pick.enough);
  for (let slot = 0; slot < catalogue.size; slot += 1) {
    const item = catalogue.itemAt(slot);
    if (slot === subject || !item || !pick.isAllowed(item)) continue;
    const value = score(slot);
    if (value >= least) top.offer(slot, value);
  }
  const { ranked, isAll } = pick.from(top.take());
  return { ranked, isAll: isAll && !top.isCut };
}
