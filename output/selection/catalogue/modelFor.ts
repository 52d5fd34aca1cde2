/** Chooses the model that a question is ranked by. */
import type { Catalogue } from './catalogue.ts';
import type { RankQuestion } from '../../messages/selectionMessages.ts';
import type { SlotModel } from '../models/slotModel.ts';

/** Returns the model that a question names; null for the published one. */
export function namedBy(question: RankQuestion): string | null {
  return 'model' in question ? question.model : null;
}

/** Returns the model to rank by: the named one if it is loaded, otherwise the published one. */
export function modelFor(catalogue: Catalogue, question: RankQuestion): SlotModel | null {
  const named = namedBy(question);
  return (named === null ? undefined : catalogue.named.find(named)) ?? catalogue.model;
}
