/** What is shown beside an item without a vector: what its author has published, then what is new. */
import { recency } from '../../domain/output/recency.ts';
import type { JudgedItem } from '../../domain/output/mayShow.ts';
import type { Reason } from '../../domain/output/reasons.ts';
import type { Catalogue } from './catalogue.ts';
import type { RankAnswer, SimilarQuestion } from './messages.ts';
import type { Picker } from './picker.ts';
import { TopSlots } from './topSlots.ts';

export function rankRecent(catalogue: Catalogue, question: SimilarQuestion, pick: Picker): RankAnswer {
  const author = authorOf(catalogue, question.item);
  const isOfAuthor = (item: JudgedItem): boolean => author !== null && item.author === author;
  const now = Date.now();
  const top = new TopSlots(pick.enough);
  for (let slot = 0; slot < catalogue.size; slot += 1) {
    const item = catalogue.itemAt(slot);
    if (item && pick.isAllowed(item))
      top.offer(slot, pick.scoreOf(item, (recency(item.publishedAt, now) + (isOfAuthor(item) ? 1 : 0)) / 2));
  }
  const { ranked, isAll } = pick.from(top.take());
  const answered = ranked.map((one) => {
    const item = catalogue.itemAt(catalogue.slotOf(one.id) ?? -1);
    const reason: Reason =
      item && isOfAuthor(item) && author !== null ? { code: 'author', value: author } : { code: 'new' };
    return { ...one, reason };
  });
  return {
    ranked: answered,
    model: null,
    mode: answered.some(({ reason }) => reason.code === 'author') ? 'contextual' : 'popular',
    isAll: isAll && !top.isCut,
  };
}

function authorOf(catalogue: Catalogue, id: string): string | null {
  const slot = catalogue.slotOf(id);
  return (slot === undefined ? undefined : catalogue.itemAt(slot))?.author ?? null;
}
