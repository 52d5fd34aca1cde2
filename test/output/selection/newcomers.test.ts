import { describe, expect, it } from '@jest/globals';
import { rank } from '../../../output/selection/rank.ts';
import { trialsOf } from '../../../output/selection/trials.ts';
import { SUMS } from '../../../domain/output/popularity.ts';
import { NO_RULES } from '../../support/showRules.ts';
import { catalogueOf, change, feedFor } from '../support/catalogues.ts';

const DAY_MS = 86_400_000;
const old = new Date('2020-01-01T00:00:00Z');

/** Fifty that everybody knows, the first the most popular, and ten new ones that nobody does. */
function catalogueWithNew() {
  const known = Array.from({ length: 50 }, (_, n) => change(`known-${n}`, { publishedAt: old }));
  const fresh = Array.from({ length: 10 }, (_, n) =>
    change(`new-${n}`, { publishedAt: new Date(Date.now() - n * DAY_MS), author: `a-${n}` }),
  );
  const catalogue = catalogueOf([...known, ...fresh]);
  for (let n = 0; n < 50; n += 1)
    catalogue.popularity.set(
      n,
      Array.from({ length: SUMS }, () => 1_000 - n),
    );
  return catalogue;
}
const isNew = ({ id }: { id: string }) => id.startsWith('new-');

describe('the places of new items', () => {
  it('are none without exploration', () => {
    const { ranked } = rank(catalogueWithNew(), feedFor({ limit: 40 }));
    expect(ranked.filter(isNew)).toEqual([]);
    expect(ranked.every(({ propensity }) => propensity === undefined)).toBe(true);
  });

  it('are a share of those from the third on, and repeated by the seed', () => {
    const catalogue = catalogueWithNew();
    const places = Array.from({ length: 30 }, (_, seed) => {
      const asked = feedFor({ limit: 40, exploration: 0.2, seed });
      const { ranked } = rank(catalogue, asked);
      expect(rank(catalogue, asked).ranked).toEqual(ranked);
      expect(new Set(ranked.map(({ id }) => id)).size).toBe(40);
      expect(ranked.map(({ score }) => score)).toEqual(ranked.map(({ score }) => score).toSorted((a, b) => b - a));
      return ranked.flatMap((one, at) => (isNew(one) ? [at] : []));
    }).flat();
    expect(Math.min(...places)).toBe(2);
    // 38 places of 30 answers, of which a fifth is 228; the standard deviation is 14.
    expect(Math.abs(places.length - 228)).toBeLessThan(60);
  });

  it('begin at once on a later page', () => {
    const catalogue = catalogueWithNew();
    const ordering = { ...feedFor().ordering, before: ['known-0', 'known-1', 'known-2'] };
    const first = Array.from({ length: 20 }, (_, seed) =>
      rank(catalogue, feedFor({ limit: 10, exploration: 0.3, seed, ordering })).ranked.findIndex(isNew),
    );
    expect(first).toContain(0);
  });

  it('are told with their reason and their chance', () => {
    const { ranked } = rank(catalogueWithNew(), feedFor({ limit: 40, exploration: 0.3, seed: 4 }));
    const tried = ranked.filter(isNew);
    expect(tried.length).toBeGreaterThan(0);
    for (const { reason, propensity = 0 } of tried) {
      expect(reason).toEqual({ code: 'new' });
      expect(propensity).toBeGreaterThan(0);
      expect(propensity).toBeLessThanOrEqual(0.3);
    }
  });

  it('are not for what the rules forbid, what is tried already, and what is not new', () => {
    const catalogue = catalogueWithNew();
    catalogue.trials = trialsOf(
      [
        { id: 'new-1', impressions: 5_000, opens: 100 },
        { id: 'gone', impressions: 0, opens: 0 },
      ],
      (id) => catalogue.slotOf(id),
    );
    const rules = { ...NO_RULES, excludedItems: new Set(['new-0', 'new-2']), excludedAuthors: new Set(['a-3']) };
    const shown = Array.from({ length: 40 }, (_, seed) =>
      rank(catalogue, feedFor({ limit: 30, exploration: 0.3, seed, rules })).ranked.filter(isNew),
    ).flat();
    expect(new Set(shown.map(({ id }) => id))).toEqual(new Set(['new-4', 'new-5', 'new-6', 'new-7', 'new-8', 'new-9']));
  });
});
