/** Combines the parts of a personal score and finds the best items that a question allows. */
import { USUAL_PERIOD } from '../../../domain/output/popularity.ts';
import type { Reason } from '../../../domain/output/reasons.ts';
import { beginTotals } from './beginTotals.ts';
import { bestAllowed, orderedScores, type OrderedScores } from './bestAllowed.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { FeedQuestion, NextQuestion, RankAnswer, RankedItem } from '../../messages/selectionMessages.ts';
import { findNewcomers, type Newcomer } from './newItems.ts';
import type { PartScores } from './scores/partScores.ts';
import { pickerOf } from './allowedPicker.ts';
import type { Priors } from '../catalogue/sharedScores.ts';
import { Totals } from './scores/scoreTotals.ts';
import { RANKED_DIGITS } from '../../scoreDigits.ts';

export interface Part {
  /** Name of the part in explanations. */
  name: string;
  /** Score of the part's best item. */
  weight: number;
  scores: PartScores;
  /** The part whose best value is the unit; by default this part itself. */
  unit?: PartScores;
  /** True when the part reflects what this person wants, and not what the subject is like. */
  isPersonal: boolean;
  /** Reason for showing an item that this part contributes. */
  code: 'because_item' | 'similar' | 'interest' | 'author' | 'region';
  /** Names in the reason, by source. */
  names: readonly string[];
}

export interface Recipe {
  parts: readonly Part[];
  /** Score of the most popular item. */
  popularity: number;
  /** Score of an item published at this moment. */
  recency: number;
}

/** A ranking with the new items that might be tried instead. */
export interface PartsRanking extends RankAnswer {
  newcomers: readonly Newcomer[];
}

/** A part with a value, and the factor of its values. */
interface Scaled extends Part {
  factor: number;
}

/** Reused by every ranking: they are computed one at a time. */
const totals = new Totals();

/**
 * Ranks by the sum of the parts, each scaled so that its best value equals its weight; parts of different units become
 * comparable that way. Items without any part are ranked by popularity and recency.
 */
export function rankByParts(catalogue: Catalogue, question: FeedQuestion | NextQuestion, recipe: Recipe): PartsRanking {
  const pick = pickerOf(catalogue, question);
  const priors = catalogue.priors;
  const parts = recipe.parts.flatMap((part): Scaled[] => {
    const largest = part.weight > 0 ? (part.unit ?? part.scores).largest() : 0;
    return largest > 0 ? [{ ...part, factor: part.weight / largest }] : [];
  });
  const base = baseOf(priors, recipe);
  beginTotals(totals, base, { catalogue, priors, newness: recipe.recency });
  for (const part of parts) addPart(part);
  const { ranked, isAll } = bestAllowed({ catalogue, pick }, base, totals);
  const explain = explainerOf({ parts, recipe, priors, explain: question.explain });
  return {
    ranked: ranked.map((item) => ({ ...item, ...explain(catalogue.slotOf(item.id) ?? -1) })),
    model: null,
    mode: modeOf(parts),
    isAll,
    newcomers:
      question.exploration > 0
        ? findNewcomers(catalogue, pick, totals).map((one) => ({ ...one, ...explain(one.slot) }))
        : [],
  };
}

/** Returns the scores of all items by popularity and recency. */
function baseOf(priors: Priors, { popularity, recency }: Recipe): OrderedScores {
  return priors.keep(`base ${popularity} ${recency}`, (current) => {
    const novelty = current.recency;
    return orderedScores(
      current.popularity(USUAL_PERIOD).map((share, slot) => popularity * share + recency * (novelty[slot] as number)),
    );
  });
}

function addPart({ scores: { touched, values }, factor }: Scaled): void {
  for (const slot of touched) totals.add(slot, factor * (values[slot] as number));
}

function modeOf(parts: readonly Part[]): RankAnswer['mode'] {
  if (parts.some(({ isPersonal }) => isPersonal)) return 'personal';
  return parts.length > 0 ? 'contextual' : 'popular';
}

interface ReasonInput {
  parts: readonly Scaled[];
  recipe: Recipe;
  priors: Priors;
  explain: boolean;
}

/** Returns a function that gives the reason for an item: the largest contribution to its score. */
function explainerOf({
  parts,
  recipe,
  priors,
  explain,
}: ReasonInput): (slot: number) => Pick<RankedItem, 'reason' | 'parts'> {
  const shares = priors.popularity(USUAL_PERIOD);
  return (slot) => {
    const popularity = recipe.popularity * (shares[slot] ?? 0);
    const recency = recipe.recency * priors.recencyOf(slot);
    let maxValue = Math.max(popularity, recency);
    let reason: Reason = { code: popularity >= recency && popularity > 0 ? 'popular' : 'new' };
    const values: Record<string, number> = {};
    for (const part of parts) {
      const value = part.factor * (part.scores.values[slot] ?? 0);
      if (value !== 0) values[part.name] = Number(value.toFixed(RANKED_DIGITS));
      const name = part.names[part.scores.sourceOf(slot)];
      if (value <= maxValue || name === undefined) continue;
      maxValue = value;
      reason = reasonOf(part.code, name);
    }
    if (!explain) return { reason };
    for (const [name, value] of Object.entries({ popularity, recency }))
      if (value !== 0) values[name] = Number(value.toFixed(RANKED_DIGITS));
    return { reason, parts: values };
  };
}

function reasonOf(code: Part['code'], name: string): Reason {
  return code === 'because_item' || code === 'similar' ? { code, item: name } : { code, value: name };
}
