/** Puts the parts of a personal score together and finds the best that a question allows. */
import { USUAL_PERIOD } from '../../domain/output/popularity.ts';
import type { Reason } from '../../domain/output/reasons.ts';
import type { Catalogue } from './catalogue.ts';
import type { FeedQuestion, NextQuestion, RankAnswer, RankedItem } from './messages.ts';
import { findNewcomers, type Newcomer } from './newcomers.ts';
import type { PartScores } from './partScores.ts';
import { pickerOf } from './picker.ts';
import { priorsOf, type Priors } from './priors.ts';
import { TopSlots } from './topSlots.ts';

export interface Part {
  /** As explanations name it. */
  name: string;
  /** What its best item gets. */
  weight: number;
  scores: PartScores;
  /** The part whose best is the unit; its own. */
  unit?: PartScores;
  /** It says what this person wants, not what the subject is like. */
  isPersonal: boolean;
  /** Why an item is shown that this part brings. */
  code: 'because_item' | 'similar' | 'interest' | 'author' | 'region';
  /** What the reason names, by the numbers of the sources. */
  names: readonly string[];
}

export interface Recipe {
  parts: readonly Part[];
  /** What the most popular item gets. */
  popularity: number;
  /** What is published at this moment gets. */
  recency: number;
}

/** A ranking with the new items that might be tried instead. */
export interface PartsRanking extends RankAnswer {
  newcomers: readonly Newcomer[];
}

/** A part that has something to say, and what its values are multiplied by. */
interface Scaled extends Part {
  factor: number;
}

/** Rankings are made one at a time, so they share their memory. */
let totals = new Float32Array(0);
const GROWTH = 1.25;

/**
 * Every part counts by its weight times its share of the part's own best, so that parts of different units come together.
 * What no part brings is ranked by popularity and novelty.
 */
export function rankByParts(catalogue: Catalogue, question: FeedQuestion | NextQuestion, recipe: Recipe): PartsRanking {
  const pick = pickerOf(catalogue, question);
  const { mostFactor } = pick;
  const priors = priorsOf(catalogue);
  const parts = recipe.parts.flatMap((part): Scaled[] => {
    const largest = part.weight > 0 ? (part.unit ?? part.scores).largest() : 0;
    return largest > 0 ? [{ ...part, factor: part.weight / largest }] : [];
  });
  sum(catalogue.size, priors, recipe, parts);
  const top = new TopSlots(pick.enough);
  let { bar } = top;
  for (let slot = 0; slot < catalogue.size; slot += 1) {
    const total = totals[slot] as number;
    // Rules cost more than a comparison: they are asked of what would find room.
    if ((total > 0 ? total * mostFactor : total) <= bar) continue;
    const item = catalogue.itemAt(slot);
    if (!item || !pick.isAllowed(item)) continue;
    top.offer(slot, pick.scoreOf(item, total));
    ({ bar } = top);
  }
  const { ranked, isAll } = pick.from(top.take());
  const tell = tellerOf({ parts, recipe, priors, explain: question.explain });
  return {
    ranked: ranked.map((item) => ({ ...item, ...tell(catalogue.slotOf(item.id) ?? -1) })),
    model: null,
    mode: modeOf(parts),
    isAll: isAll && !top.isCut,
    newcomers:
      question.exploration > 0
        ? findNewcomers(catalogue, pick, totals).map((one) => ({ ...one, ...tell(one.slot) }))
        : [],
  };
}

function sum(slots: number, priors: Priors, { popularity, recency }: Recipe, parts: readonly Scaled[]): void {
  if (slots > totals.length) totals = new Float32Array(Math.ceil(slots * GROWTH));
  const shares = priors.popularity(USUAL_PERIOD);
  for (let slot = 0; slot < slots; slot += 1)
    totals[slot] = popularity * (shares[slot] as number) + recency * (priors.recency[slot] as number);
  for (const { scores, factor } of parts) {
    const { values } = scores;
    for (const slot of scores.touched) totals[slot] = (totals[slot] as number) + factor * (values[slot] as number);
  }
}

function modeOf(parts: readonly Part[]): RankAnswer['mode'] {
  if (parts.some(({ isPersonal }) => isPersonal)) return 'personal';
  return parts.length > 0 ? 'contextual' : 'popular';
}

interface Telling {
  parts: readonly Scaled[];
  recipe: Recipe;
  priors: Priors;
  explain: boolean;
}

const DIGITS = 4;

/** Why an item is shown: by what brought it most. */
function tellerOf({ parts, recipe, priors, explain }: Telling): (slot: number) => Pick<RankedItem, 'reason' | 'parts'> {
  const shares = priors.popularity(USUAL_PERIOD);
  return (slot) => {
    const popularity = recipe.popularity * (shares[slot] ?? 0);
    const recency = recipe.recency * (priors.recency[slot] ?? 0);
    let most = Math.max(popularity, recency);
    let reason: Reason = { code: popularity >= recency && popularity > 0 ? 'popular' : 'new' };
    const told: Record<string, number> = {};
    for (const part of parts) {
      const value = part.factor * (part.scores.values[slot] ?? 0);
      if (value !== 0) told[part.name] = Number(value.toFixed(DIGITS));
      const name = part.names[part.scores.sourceOf(slot)];
      if (value <= most || name === undefined) continue;
      most = value;
      reason = reasonOf(part.code, name);
    }
    if (!explain) return { reason };
    for (const [name, value] of Object.entries({ popularity, recency }))
      if (value !== 0) told[name] = Number(value.toFixed(DIGITS));
    return { reason, parts: told };
  };
}

function reasonOf(code: Part['code'], name: string): Reason {
  return code === 'because_item' || code === 'similar' ? { code, item: name } : { code, value: name };
}
