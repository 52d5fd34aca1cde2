import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { SUMS } from '../../../../domain/output/popularity.ts';
import type { RankQuestion } from '../../../../output/messages/selectionMessages.ts';
import { rank } from '../../../../output/selection/rank/rank.ts';
import { NO_RULES } from '../../../support/showRules.ts';
import {
  catalogueOf,
  change,
  feedFor,
  nextAfter,
  placedAt,
  PLAIN_ORDERING,
  similarTo,
} from '../../support/catalogues.ts';
import { later } from '../../support/later.ts';

const HOUR_MS = 3_600_000;
const ago = (hours: number) => ({ publishedAt: new Date(Date.now() - hours * HOUR_MS) });
const QUESTIONS: Record<string, RankQuestion> = {
  feed: feedFor({ explain: true }),
  next: nextAfter(['i-7'], { explain: true }),
  popular: {
    kind: 'popular',
    period: '7d',
    trend: false,
    region: null,
    projectId: 'p',
    rules: NO_RULES,
    suppressed: [],
    passedOver: [],
    ordering: PLAIN_ORDERING,
    limit: 10,
  },
  'similar, beside an item without a vector': similarTo('i-7'),
};

/** So many items that the scores that are the same for everybody are kept for a while. */
const items = Array.from({ length: 2_500 }, (_, n) => change(`i-${n}`, ago(n + 1)));
const added = [
  change('of-now', ago(0)),
  change('of-then', ago(1_500.5)),
  change('unavailable', { ...ago(0), available: false }),
  change('placed', { ...ago(0.1), placed: placedAt(0) }),
];
const popular = Array.from({ length: SUMS }, () => 5);

afterEach(() => void jest.restoreAllMocks());

describe('items that are added to a large catalogue after its shared scores were computed', () => {
  for (const [name, question] of Object.entries(QUESTIONS))
    it(`have the places that they would have if all were computed again: ${name}`, () => {
      // Time stands still, so that the scores are those of one moment.
      later(0);
      const catalogue = catalogueOf(items);
      catalogue.popularity.set(1_000, popular);
      const { priors } = catalogue;
      rank(catalogue, question);
      catalogue.apply(added);
      const fresh = catalogueOf([...items, ...added]);
      fresh.popularity.set(1_000, popular);
      for (const limit of [3, 2_000]) {
        const { ranked } = rank(catalogue, { ...question, limit });
        expect(ranked.slice(0, 3).map(({ id }) => id)).toContain('of-now');
        expect(ranked).toEqual(rank(fresh, { ...question, limit }).ranked);
      }
      expect(catalogue.priors).toBe(priors);
    });
});
