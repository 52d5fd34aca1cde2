import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { newestItems } from '../../../../output/selection/rank/newItems.ts';
import { rank } from '../../../../output/selection/rank/rank.ts';
import { trialsOf } from '../../../../output/selection/catalogue/trials.ts';
import { SUMS } from '../../../../domain/output/popularity.ts';
import { NO_RULES } from '../../../support/showRules.ts';
import { catalogueOf, change, feedFor } from '../../support/catalogues.ts';
import { later } from '../../support/later.ts';
import { modelOf } from '../../support/models.ts';

const DAY_MS = 86_400_000;
const old = new Date('2020-01-01T00:00:00Z');

/** Fifty items that everybody knows, the first the most popular, and ten new ones that nobody knows. */
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
const daysAgo = (days: number) => ({ publishedAt: new Date(Date.now() - days * DAY_MS) });
const isTried = ({ isTrial = false }: { isTrial?: boolean }) => isTrial;
const isNew = ({ id }: { id: string }) => id.startsWith('new-');

describe('the positions of new items', () => {
  it('do not exist without exploration', () => {
    const { ranked } = rank(catalogueWithNew(), feedFor({ limit: 40 }));
    expect(ranked.filter(isNew)).toEqual([]);
    expect(ranked.every(({ propensity }) => propensity === undefined)).toBe(true);
  });

  // proves: output-request/exploration
  it('are a share of those from the third on, and reproducible by the seed', () => {
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
    // 38 places in each of 30 answers, a fifth of which is 228; the standard deviation is 14.
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

  it('have items with the reason `new` and a propensity', () => {
    const { ranked } = rank(catalogueWithNew(), feedFor({ limit: 40, exploration: 0.3, seed: 4 }));
    const tried = ranked.filter(isNew);
    expect(tried.length).toBeGreaterThan(0);
    for (const { reason, propensity = 0 } of tried) {
      expect(reason).toEqual({ code: 'new' });
      expect(propensity).toBeGreaterThan(0);
      expect(propensity).toBeLessThanOrEqual(0.3);
    }
  });

  // proves: output-snapshots/propensities
  it('leave the other positions certain once there is nothing left to try', () => {
    const known = Array.from({ length: 40 }, (_, n) => change(`known-${n}`, { publishedAt: old }));
    const catalogue = catalogueOf([...known, change('new-0', daysAgo(0))]);
    for (let n = 0; n < 40; n += 1)
      catalogue.popularity.set(
        n,
        Array.from({ length: SUMS }, () => 1_000 - n),
      );
    const { ranked } = rank(catalogue, feedFor({ limit: 30, exploration: 0.5 }));
    const at = ranked.findIndex(isTried);
    const chances = ranked.map(({ propensity = 1 }) => propensity);
    expect(at).toBeGreaterThanOrEqual(2);
    expect(chances.slice(0, at)).toEqual(chances.slice(0, at).map((_, before) => (before < 2 ? 1 : 0.5)));
    expect(chances.slice(at + 1)).toEqual(ranked.slice(at + 1).map(() => 1));
  });

  // proves: output-request/exploration
  it('are not for forbidden items, items already tried or older items', () => {
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

describe('an item with a recent date that somebody met more than a month ago', () => {
  // proves: output-request/exploration
  it('is not new, unlike one that was met shortly before its date', () => {
    const catalogue = catalogueWithNew();
    const today = Math.floor(Date.now() / DAY_MS);
    const counts = Array.from({ length: SUMS }, () => 1);
    const metDaysAgo = (id: string, days: number) =>
      catalogue.popularity.set(catalogue.slotOf(id) ?? -1, counts, today - days);
    metDaysAgo('new-1', 31);
    metDaysAgo('new-3', 300);
    metDaysAgo('new-5', 20);
    const others = ['new-0', 'new-2', 'new-4', 'new-5', 'new-6', 'new-7', 'new-8', 'new-9'];
    expect(newestItems(catalogue).map(({ id }) => id)).toEqual(others);
    const tried = Array.from({ length: 40 }, (_, seed) =>
      rank(catalogue, feedFor({ limit: 30, exploration: 0.3, seed })).ranked.filter(isTried),
    ).flat();
    expect(new Set(tried.map(({ id }) => id))).toEqual(new Set(others));
  });
});

describe('the items of an import without dates', () => {
  const today = Math.floor(Date.now() / DAY_MS);
  /** Yesterday, at the twentieth second of a minute. */
  const importedAt = { publishedAt: new Date(Math.floor(Date.now() / 60_000 - 24 * 60) * 60_000 + 20_000) };
  const imported = (count: number) => Array.from({ length: count }, (_, n) => change(`old-${n}`, importedAt));
  /** @param first how many days ago the items were first met */
  const catalogueOfImport = (count: number, met: number, first: number) => {
    const catalogue = catalogueOf([...imported(count), change('new-0', daysAgo(0)), change('new-1', daysAgo(3))]);
    const counts = Array.from({ length: SUMS }, () => 1);
    for (let n = 0; n < met; n += 1) catalogue.popularity.set(n, counts, today - first);
    return catalogue;
  };
  const idsOf = (catalogue: ReturnType<typeof catalogueOf>) => newestItems(catalogue).map(({ id }) => id);

  afterEach(() => {
    jest.restoreAllMocks();
  });

  // proves: output-request/exploration
  it('are not new if most of them were met before, and neither are those that nobody met', () => {
    const catalogue = catalogueOfImport(200, 120, 20);
    expect(idsOf(catalogue)).toEqual(['new-0', 'new-1']);
    const tried = Array.from({ length: 40 }, (_, seed) =>
      rank(catalogue, feedFor({ limit: 30, exploration: 0.3, seed })).ranked.filter(isTried),
    ).flat();
    expect(new Set(tried.map(({ id }) => id))).toEqual(new Set(['new-0', 'new-1']));
  });

  it('are not new if nearly all of them have been met since', () => {
    expect(idsOf(catalogueOfImport(200, 185, 0))).toEqual(['new-0', 'new-1']);
  });

  it('are not new if the model knows nearly all of them, though their events are not counted yet', async () => {
    const catalogue = catalogueOfImport(200, 0, 0);
    later(0);
    expect(idsOf(catalogue)).toHaveLength(202);
    const known = Object.fromEntries(Array.from({ length: 185 }, (_, n) => [`old-${n}`, 1]));
    catalogue.model = await catalogue.mapToSlots(modelOf({ taste: { 'new-0': known } }));
    later(5_100);
    expect(idsOf(catalogue)).toEqual(['new-0', 'new-1']);
  });

  it('are new if too few of them have been met', () => {
    expect(idsOf(catalogueOfImport(200, 80, 20))).toHaveLength(202);
    expect(idsOf(catalogueOfImport(200, 150, 0))).toHaveLength(202);
  });

  it('are as new as their dates if they are too few for an import', () => {
    expect(idsOf(catalogueOfImport(90, 90, 20))).toHaveLength(92);
  });
});

describe('the newest items', () => {
  const idsOf = (items: readonly { id: string }[]) => items.map(({ id }) => id);

  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('are listed once a minute while nothing changes', () => {
    const halfMinute = 30_000 / DAY_MS;
    const catalogue = catalogueOf([change('aging', daysAgo(30 - halfMinute)), change('new', daysAgo(1))]);
    later(0);
    expect(idsOf(newestItems(catalogue))).toEqual(['new', 'aging']);
    later(59_000);
    expect(idsOf(newestItems(catalogue))).toEqual(['new', 'aging']);
    later(2_000);
    expect(idsOf(newestItems(catalogue))).toEqual(['new']);
  });

  it('are listed every five seconds while counts change, as after the load of a catalogue', () => {
    const catalogue = catalogueOf([change('imported', daysAgo(0)), change('new', daysAgo(1))]);
    later(0);
    expect(idsOf(newestItems(catalogue))).toEqual(['imported', 'new']);
    const counts = Array.from({ length: SUMS }, () => 1);
    catalogue.popularity.set(0, counts, Math.floor(Date.now() / DAY_MS) - 40);
    later(4_900);
    expect(idsOf(newestItems(catalogue))).toEqual(['imported', 'new']);
    later(200);
    expect(idsOf(newestItems(catalogue))).toEqual(['new']);
  });

  it('are listed once a second while items change', () => {
    const catalogue = catalogueOf([change('new', daysAgo(1))]);
    later(0);
    newestItems(catalogue);
    catalogue.apply([change('newer', daysAgo(0))]);
    later(900);
    expect(idsOf(newestItems(catalogue))).toEqual(['new']);
    later(200);
    expect(idsOf(newestItems(catalogue))).toEqual(['newer', 'new']);
  });

  it('do not include an item that has been deleted since they were listed', () => {
    const catalogue = catalogueOf([change('new', daysAgo(1)), change('newer', daysAgo(0))]);
    later(0);
    newestItems(catalogue);
    catalogue.apply([change('newer', { ...daysAgo(0), deleted: true })]);
    expect(idsOf(newestItems(catalogue))).toEqual(['new']);
  });

  it('give way to older new ones if rules allow none of them', () => {
    const many = Array.from({ length: 4_200 }, (_, n) => change(`i-${n}`, { ...daysAgo(n / 200), author: `a-${n}` }));
    const catalogue = catalogueOf(many);
    const tried = (author: string) => {
      const rules = { ...NO_RULES, authors: new Set([author, 'a-known-1', 'a-known-2', 'a-known-3']) };
      return rank(catalogue, feedFor({ rules, exploration: 1 }))
        .ranked.filter(isTried)
        .map(({ id }) => id);
    };
    catalogue.apply([1, 2, 3].map((n) => change(`known-${n}`, { publishedAt: old, author: `a-known-${n}` })));
    for (const slot of [4_200, 4_201, 4_202])
      catalogue.popularity.set(
        slot,
        Array.from({ length: SUMS }, () => 9),
      );
    expect([tried('a-10'), tried('a-4150')]).toEqual([['i-10'], ['i-4150']]);
  });
});
