import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createRandom, type Random } from '../../../../tools/load/random.ts';
import { boostOf, scaled } from '../../../../domain/output/boosts.ts';
import type { BoundFilter } from '../../../../domain/output/propertyFilters.ts';
import { mayShow } from '../../../../domain/output/mayShow.ts';
import { bestAllowed, orderedScores } from '../../../../output/selection/rank/bestAllowed.ts';
import type { FeedQuestion, Ordering } from '../../../../output/messages/selectionMessages.ts';
import { pickerOf, type Picked } from '../../../../output/selection/rank/allowedPicker.ts';
import { Totals } from '../../../../output/selection/rank/scores/scoreTotals.ts';
import { NO_RULES } from '../../../support/showRules.ts';
import { catalogueOf, change, feedFor, PLAIN_ORDERING } from '../../support/catalogues.ts';

/** Half as many again as are kept in order, so that narrow queries need the others. */
const SLOTS = 6_000;

/** A random number for each slot: the filter's threshold sets how many slots pass. */
const lots = shuffled(createRandom(11));
const catalogue = catalogueOf(
  lots.map((lot, slot) =>
    change(`i-${slot}`, { author: slot % 5 === 0 ? null : `a-${lot % 40}`, properties: { lot }, deleted: lot === 77 }),
  ),
  ['lot'],
);

function shuffled(random: Random): number[] {
  const numbers = Array.from({ length: SLOTS }, (_, n) => n);
  for (let at = SLOTS - 1; at > 0; at -= 1) {
    const other = random.below(at + 1);
    [numbers[at], numbers[other]] = [numbers[other] as number, numbers[at] as number];
  }
  return numbers;
}

function lotIs(op: 'lt' | 'gte' | 'in', ...operands: number[]): BoundFilter {
  return { property: 'lot', op, type: 'number', operands, isWanted: true };
}

function questionOf(
  filter: BoundFilter,
  { limit, passedOver = [], ...ordering }: Partial<Ordering> & { limit: number; passedOver?: string[] },
): FeedQuestion {
  const rules = { ...NO_RULES, filters: [filter] };
  return feedFor({ limit, passedOver, rules, ordering: { ...PLAIN_ORDERING, ...ordering } });
}

/** The scores for everyone, and their changes by a query. */
interface Scores {
  base: Float32Array<ArrayBuffer>;
  touches: { slot: number; score: number; isAdded: boolean }[];
}

const totals = new Totals();

function picked({ base, touches }: Scores, question: FeedQuestion): Picked {
  totals.begin(base);
  for (const { slot, score, isAdded } of touches) {
    if (isAdded) totals.add(slot, score);
    else totals.set(slot, score);
  }
  const { ranked, isAll } = bestAllowed(
    { catalogue, pick: pickerOf(catalogue, question) },
    orderedScores(base),
    totals,
  );
  return { ranked: ranked.map(({ id, score }) => ({ id, score })), isAll };
}

/** Scores, filters and sorts every slot. */
function plainPicked({ base, touches }: Scores, { rules, ordering, passedOver, limit }: FeedQuestion): Picked {
  const scores = base.slice();
  for (const { slot, score, isAdded } of touches) scores[slot] = isAdded ? (scores[slot] ?? 0) + score : score;
  const { boosts, perAuthor } = ordering;
  const lowered = new Map(ordering.lowered);
  const allowed = [...scores.entries()]
    .flatMap(([slot, score]) => {
      const item = catalogue.itemAt(slot);
      if (!item || passedOver.includes(item.id) || !mayShow(item, rules)) return [];
      const factor = boostOf(boosts, item.properties) * (lowered.get(item.id) ?? 1);
      return [{ slot, item, score: Math.fround(scaled(score, factor)) }];
    })
    .sort((a, b) => b.score - a.score || a.slot - b.slot);
  const counts = new Map<string, number>();
  const shown = allowed.slice(0, perAuthor === null ? limit : 3 * limit).filter(({ item: { author } }) => {
    if (perAuthor === null || author === null) return true;
    const count = (counts.get(author) ?? 0) + 1;
    counts.set(author, count);
    return count <= perAuthor;
  });
  const ranked = shown.slice(0, limit).map(({ item: { id }, score }) => ({ id, score: Number(score.toFixed(4)) }));
  return { ranked, isAll: ranked.length === allowed.length };
}

/** Parameters of the scores of all slots: short enough to print when a test fails. */
interface Drawn {
  seed: number;
  values: readonly number[];
  /** Percent. */
  zeros: number;
  touched: number;
}

const drawn = fc.record({
  seed: fc.nat(),
  values: fc.oneof(
    fc.constantFrom([0.5, 1], [-1, -0.5, 0.25, 0.5], [-2, -1], [1e-4, 0.1]),
    fc.array(fc.float({ min: -1, max: 1, noNaN: true }), { minLength: 50, maxLength: 50 }),
  ),
  zeros: fc.constantFrom(0, 50, 99),
  touched: fc.constantFrom(0, 5, 2_000),
});

function scoresOf({ seed, values, zeros, touched }: Drawn): Scores {
  const random = createRandom(seed);
  const one = (): number => (random.percent(zeros) ? 0 : random.pick(values));
  const base = Float32Array.from({ length: SLOTS }, one);
  const touches = Array.from({ length: touched }, () => ({
    slot: random.below(SLOTS),
    score: one(),
    isAdded: random.percent(70),
  }));
  return { base, touches };
}

const id = fc.nat(SLOTS - 1).map((slot) => `i-${slot}`);
const boost = fc.record({
  filter: fc.tuple(fc.constantFrom('lt', 'gte'), fc.nat(SLOTS)).map(([op, lot]) => lotIs(op, lot)),
  factor: fc.constantFrom(0.1, 0.5, 1.5, 3, 10),
});
const question = fc
  .record({
    passing: fc.oneof(fc.nat(60), fc.constantFrom(300, SLOTS)),
    boosts: fc.oneof(fc.constant([]), fc.array(boost, { maxLength: 3 })),
    lowered: fc.oneof(fc.constant([]), fc.array(fc.tuple(id, fc.constantFrom(0.1, 0.5)), { maxLength: 50 })),
    perAuthor: fc.constantFrom(null, 1, 2),
    passedOver: fc.array(id, { maxLength: 20 }),
    limit: fc.integer({ min: 1, max: 60 }),
  })
  .map(({ passing, ...asked }) => questionOf(lotIs('lt', passing), asked));

describe('the best allowed items', () => {
  it('are those that scoring, judging and sorting all slots gives', () => {
    fc.assert(
      fc.property(drawn, question, (from, asked) => {
        const scores = scoresOf(from);
        const expected = plainPicked(scores, asked);
        const found = picked(scores, asked);
        expect(found.ranked).toEqual(expected.ranked);
        // When the ordered slots fill the page, nothing has checked whether more follow.
        if (found.isAll !== expected.isAll) expect([found.isAll, found.ranked.length]).toEqual([false, asked.limit]);
      }),
      { numRuns: 150 },
    );
  });

  it('include items below zero that a boost raises', () => {
    const boosts = [{ filter: lotIs('gte', 2), factor: 10 }];
    const touches = [-0.5, -0.6, -1].map((score, lot) => ({ slot: lots.indexOf(lot), score, isAdded: false }));
    const base = new Float32Array(SLOTS).fill(-3);
    const found = picked({ base, touches }, questionOf(lotIs('lt', 3), { boosts, limit: 1 }));
    expect(found.ranked).toEqual([{ id: `i-${lots.indexOf(2)}`, score: -0.1 }]);
  });

  it('are those in the lower slots if scores are equal, including slots that are not kept in order', () => {
    const two = lotIs('in', ...lots.slice(5_000, 5_002));
    const touches = [{ slot: 5_001, score: 0, isAdded: true }];
    const found = picked({ base: new Float32Array(SLOTS), touches }, questionOf(two, { limit: 1 }));
    expect(found.ranked).toEqual([{ id: 'i-5000', score: 0 }]);
  });

  it.each([
    { where: 'among the ordered slots', others: [88, 90, 92] },
    { where: 'behind the ordered slots', others: lots.keys() },
  ])('are those in the lower slots if scores are equal only once boosted, $where', ({ others }) => {
    const boosts = [{ filter: lotIs('gte', 0), factor: 10 }];
    const [more, less] = [1 - 2 ** -24, 1 - 2 ** -23];
    expect(Math.fround(10 * more)).toBe(Math.fround(10 * less));
    const base = new Float32Array(SLOTS);
    for (const slot of others) base[slot] = more;
    base[0] = less;
    const found = picked({ base, touches: [] }, questionOf(lotIs('lt', SLOTS), { boosts, limit: 1 }));
    expect(found.ranked).toEqual([{ id: 'i-0', score: 10 }]);
  });
});
