/** Begins the totals of a question on scores that are the same for everybody. */
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Priors } from '../catalogue/sharedScores.ts';
import type { OrderedScores } from './bestAllowed.ts';
import type { Totals } from './scores/scoreTotals.ts';

export interface BeginningWith {
  catalogue: Catalogue;
  /** The scores that the base was computed from. */
  priors: Priors;
  /** Base score of an item published at this moment that nobody has met. */
  newness: number;
}

/** Items that the base lacks have just been added, so they are scored by their newness alone. */
export function beginTotals(totals: Totals, base: OrderedScores, { catalogue, priors, newness }: BeginningWith): void {
  totals.begin(base.scores, catalogue.size);
  for (let slot = base.scores.length; slot < catalogue.size; slot += 1)
    totals.add(slot, newness * priors.recencyOf(slot));
}
