/** Picks the best of scored slots that a question allows. */
import { scaled } from '../../../domain/output/boosts.ts';
import { topIndexes } from '../../topNumbers.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Picked, Picker } from './allowedPicker.ts';
import { TopSlots, type ScoredSlots } from '../vectors/topSlots.ts';
import type { Totals } from './scores/scoreTotals.ts';

/** Scores that are the same for everybody, with the best slots in order: a question hardly ever needs others. */
export interface OrderedScores {
  scores: Float32Array<ArrayBuffer>;
  /** Slots by score, the best first. */
  best: Uint32Array;
  byteLength: number;
}

/** Number of ordered slots, which usually fills a page, whatever was met or filtered out. */
const ORDERED = 4_000;

export function orderedScores(scores: Float32Array<ArrayBuffer>): OrderedScores {
  const best = topIndexes(scores, ORDERED);
  return { scores, best, byteLength: scores.byteLength + best.byteLength };
}

interface PickContext {
  catalogue: Catalogue;
  pick: Picker;
}

interface Scored {
  /** The slots of the scores; null when there is a score for every slot. */
  slots: Uint32Array | null;
  scores: Float32Array;
}

/**
 * Offers the slots that are probably among the best before the others. Rules cost more than a comparison, so they are
 * checked only for slots that would be kept: once the best are kept, these are hardly any.
 */
export function offerAllowed(top: TopSlots, context: PickContext, scored: Scored): void {
  const bound = likelyBound(scored.scores, context.pick.enough);
  offerBetween(top, context, scored, { from: bound, below: Infinity });
  if (bound > -Infinity) offerBetween(top, context, scored, { from: -Infinity, below: bound });
}

/**
 * One in this many scores is sampled for an estimate; fewer scores than the square of this are not worth estimating.
 */
const SAMPLED = 16;
/** Somewhat more slots than needed, because some of the best are not allowed. */
const LIKELY_FACTOR = 1.5;

/** Returns a score that somewhat more than a number of slots probably reach; -Infinity for few scores. */
function likelyBound(scores: Float32Array, enough: number): number {
  if (scores.length < SAMPLED ** 2) return -Infinity;
  const sample = new Float32Array(Math.floor(scores.length / SAMPLED));
  for (let at = 0; at < sample.length; at += 1) sample[at] = scores[at * SAMPLED] as number;
  return sample.sort().at(-Math.ceil((enough * LIKELY_FACTOR) / SAMPLED)) ?? -Infinity;
}

function offerBetween(
  top: TopSlots,
  context: PickContext,
  { slots, scores }: Scored,
  { from, below }: { from: number; below: number },
): void {
  for (let index = 0; index < scores.length; index += 1) {
    const score = scores[index] as number;
    if (score < from || score >= below) continue;
    const slot = slots === null ? index : (slots[index] as number);
    if (top.hasRoom(slot, maxScoreOf(context.pick, score))) offer(top, context, slot, score);
  }
}

function offer(top: TopSlots, { catalogue, pick }: PickContext, slot: number, score: number): void {
  const item = catalogue.itemAt(slot);
  if (item && pick.isAllowed(item)) top.offer(slot, pick.scoreOf(item, score));
}

/** Returns the highest score that boosts can give. */
function maxScoreOf({ maxFactor }: Picker, score: number): number {
  return scaled(score, maxFactor);
}

/** Returns as many of the offered slots as the question needs. */
export function pickedFrom(top: TopSlots, pick: Picker): Picked {
  const { ranked, isAll } = pick.from(top.take());
  return { ranked, isAll: isAll && !top.isCut };
}

/** Returns the best of totals that are based on ordered scores. */
export function bestAllowed(context: PickContext, ordered: OrderedScores, totals: Totals): Picked {
  const { pick } = context;
  const top = new TopSlots(pick.enough);
  offerAllowed(top, context, totals.touched());
  const isThrough = offerOrdered(top, context, ordered, totals);
  if (isThrough) return pickedFrom(top, pick);
  return bestOfFirst(top, pick, ordered) ?? bestOfAll(context, totals);
}

/** @returns true when no other slot would be kept, or there are no others */
function offerOrdered(top: TopSlots, context: PickContext, { scores, best }: OrderedScores, totals: Totals): boolean {
  for (const slot of best) {
    const score = scores[slot] as number;
    const maxScore = maxScoreOf(context.pick, score);
    if (top.hasRoom(slot, maxScore)) {
      if (!totals.isTouched(slot)) offer(top, context, slot, score);
    } else if (keepsOrder(context.pick) || top.isBeyond(maxScore)) return true;
  }
  return best.length === scores.length;
}

/**
 * Returns false when boosts may round different scores to the same one, and so put a lower slot before a higher one.
 */
const keepsOrder = ({ maxFactor }: Picker): boolean => maxFactor === 1;

/** Returns null when slots after the ordered ones may be better. */
function bestOfFirst(top: TopSlots, pick: Picker, { scores, best }: OrderedScores): Picked | null {
  const slot = best.at(-1) ?? 0;
  const last = { slot, score: Math.fround(maxScoreOf(pick, scores[slot] ?? 0)) };
  const { ranked } = pick.from(upTo(last, top.take(), keepsOrder(pick)));
  return ranked.length < pick.limit ? null : { ranked, isAll: false };
}

/** @param withTies true to include slots that have the same score as `last` and a lower number */
function upTo(last: { slot: number; score: number }, { slots, scores }: ScoredSlots, withTies: boolean): ScoredSlots {
  const isBehind = (score: number, slot: number): boolean =>
    score < last.score || (score === last.score && !(withTies && slot <= last.slot));
  const firstBehind = scores.findIndex((score, at) => isBehind(score, slots[at] as number));
  const count = firstBehind === -1 ? scores.length : firstBehind;
  return { slots: slots.subarray(0, count), scores: scores.subarray(0, count) };
}

function bestOfAll(context: PickContext, totals: Totals): Picked {
  const top = new TopSlots(context.pick.enough);
  offerAllowed(top, context, { slots: null, scores: totals.all() });
  return pickedFrom(top, context.pick);
}
