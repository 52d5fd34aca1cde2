/** Ranks what to show beside an item without a vector: other items of its author, then new ones. */
import type { Reason } from '../../../domain/output/reasons.ts';
import { beginTotals } from './beginTotals.ts';
import { bestAllowed, orderedScores } from './bestAllowed.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { RankAnswer, SimilarQuestion } from '../../messages/selectionMessages.ts';
import type { Picker } from './allowedPicker.ts';
import { Totals } from './scores/scoreTotals.ts';
import { RANKED_DIGITS } from '../../scoreDigits.ts';

/** Reused by every ranking: they are computed one at a time. */
const totals = new Totals();

/** Scores of other authors' items are at most half. */
const OF_AUTHOR = 0.5;
const RECENCY = 0.5;

export function rankRecent(catalogue: Catalogue, question: SimilarQuestion, pick: Picker): RankAnswer {
  const author = authorOf(catalogue, question.item);
  const isOfAuthor = (slot: number): boolean => author !== null && catalogue.itemAt(slot)?.author === author;
  const priors = catalogue.priors;
  const halved = priors.keep('half of recency', ({ recency }) =>
    orderedScores(recency.map((share) => RECENCY * share)),
  );
  beginTotals(totals, halved, { catalogue, priors, newness: RECENCY });
  if (author !== null) for (const slot of catalogue.columns.ofAuthor(author)) totals.add(slot, OF_AUTHOR);
  const { ranked, isAll } = bestAllowed({ catalogue, pick }, halved, totals);
  const answered = ranked.map((one) => {
    const slot = catalogue.slotOf(one.id) ?? -1;
    const recency = Number((RECENCY * priors.recencyOf(slot)).toFixed(RANKED_DIGITS));
    const reason: Reason = author !== null && isOfAuthor(slot) ? { code: 'author', value: author } : { code: 'new' };
    return { ...one, reason, parts: { ...(isOfAuthor(slot) && { author: OF_AUTHOR }), recency } };
  });
  return {
    ranked: answered,
    model: null,
    mode: answered.some(({ reason }) => reason.code === 'author') ? 'contextual' : 'popular',
    isAll,
  };
}

function authorOf(catalogue: Catalogue, id: string): string | null {
  const slot = catalogue.slotOf(id);
  return (slot === undefined ? undefined : catalogue.itemAt(slot))?.author ?? null;
}
