import { describe, expect, it } from '@jest/globals';
import { rank } from '../../../../output/selection/rank/rank.ts';
import { NO_RULES } from '../../../support/showRules.ts';
import { catalogueOf, change, placedAt, similarTo } from '../../support/catalogues.ts';

/** Item n lies n/20° from the subject `i-0`: all are near. */
const near = (count: number) =>
  Array.from({ length: count }, (_, n) => change(`i-${n}`, { placed: placedAt(n / 20), author: `a-${n}` }));
const idsOf = ({ ranked }: { ranked: readonly { id: string }[] }) => ranked.map(({ id }) => id);

describe('similar items', () => {
  it('come in order of nearness, each with its reason, and the answer says whether they are all', () => {
    const catalogue = catalogueOf(
      [0, 40, 20, 60].map((degrees) => change(`at-${degrees}`, { placed: placedAt(degrees) })),
    );
    expect(rank(catalogue, similarTo('at-0', { limit: 2 }))).toMatchObject({
      mode: 'contextual',
      model: 'circle',
      isAll: false,
      ranked: [
        { id: 'at-20', reason: { code: 'similar', item: 'at-0' } },
        { id: 'at-40', reason: { code: 'similar', item: 'at-0' } },
      ],
    });
    expect(rank(catalogue, similarTo('at-0'))).toMatchObject({ isAll: true });
  });

  it('are found even if none of the nearest meets the rules', () => {
    const catalogue = catalogueOf(near(1_500));
    const authors = new Set(['a-900', 'a-1400']);
    expect(rank(catalogue, similarTo('i-0', { rules: { ...NO_RULES, authors } }))).toMatchObject({
      isAll: true,
      ranked: [{ id: 'i-900' }, { id: 'i-1400' }],
    });
  });

  it('continue after those of earlier answers, until there are no more', () => {
    const catalogue = catalogueOf(near(1_200));
    const passedOver: string[] = [];
    let isAll = false;
    while (!isAll) {
      const answer = rank(catalogue, similarTo('i-0', { passedOver, limit: 100 }));
      passedOver.push(...idsOf(answer));
      isAll = answer.isAll;
    }
    expect(passedOver).toHaveLength(1_199);
    expect(new Set(passedOver).size).toBe(1_199);
    // With eight-bit numbers, neighbours that are a twentieth of a degree apart are ordered only in groups of equal
    // scores.
    expect(passedOver.slice(0, 100)).toContain('i-1');
    expect(passedOver.slice(-100)).toContain('i-1199');
  });

  it('include neither irrelevant items nor items with vectors of another model', () => {
    const catalogue = catalogueOf([
      change('subject', { placed: placedAt(0) }),
      change('near', { placed: placedAt(30) }),
      change('far', { placed: placedAt(85) }),
      change('other-model', { placed: placedAt(0, 'another') }),
    ]);
    expect(idsOf(rank(catalogue, similarTo('subject')))).toEqual(['near']);
  });

  // proves: output-shown/suppress-content
  it('leave out near duplicates of suppressed items', () => {
    const catalogue = catalogueOf([
      change('subject', { placed: placedAt(0) }),
      change('bought', { placed: placedAt(50) }),
      change('same', { placed: placedAt(55) }),
      change('other', { placed: placedAt(10) }),
    ]);
    const asked = { suppressed: ['bought'], rules: { ...NO_RULES, excludedItems: new Set(['bought']) } };
    expect(idsOf(rank(catalogue, similarTo('subject', asked)))).toEqual(['other']);
  });
});

describe('the kept neighbours', () => {
  it('take in items that have come nearer, and drop items that have moved away', () => {
    const catalogue = catalogueOf(near(1_500));
    // Eight-bit numbers do not distinguish the first few.
    const first = () => idsOf(rank(catalogue, similarTo('i-0', { limit: 9 })));
    first();
    catalogue.apply([change('i-1400', { placed: placedAt(0) })]);
    expect(first()).toContain('i-1400');
    catalogue.apply([change('i-1400', { placed: placedAt(89) })]);
    expect(first()).not.toContain('i-1400');
    catalogue.apply([change('i-new', { placed: placedAt(0) })]);
    expect(first()).toContain('i-new');
  });

  it('match those of a freshly read catalogue, whatever has changed', () => {
    const catalogue = catalogueOf(near(1_500));
    const all = similarTo('i-0', { limit: 500 });
    rank(catalogue, all);
    // A distant item must not replace a removed one: others lie between them.
    for (let n = 1; n < 500; n += 1) {
      catalogue.apply([change(`i-${n}`, { placed: placedAt(n % 3 === 0 ? 70 : 30 + n / 20) })]);
      if (n % 50 !== 0) continue;
      const fresh = catalogueOf(
        Array.from({ length: 1_500 }, (_, m) => {
          const moved = m >= 1 && m <= n;
          return change(`i-${m}`, { placed: placedAt(moved ? (m % 3 === 0 ? 70 : 30 + m / 20) : m / 20) });
        }),
      );
      expect(idsOf(rank(catalogue, all))).toEqual(idsOf(rank(fresh, all)));
    }
  });

  it('are right even after more changes than are remembered', () => {
    const catalogue = catalogueOf(near(40));
    rank(catalogue, similarTo('i-0'));
    for (let n = 0; n < 12_000; n += 1) catalogue.apply([change('i-1', { placed: placedAt(n % 2 === 0 ? 1 : 60) })]);
    catalogue.apply([change('i-39', { placed: placedAt(0) })]);
    expect(idsOf(rank(catalogue, similarTo('i-0', { limit: 9 })))).toContain('i-39');
  });
});

describe('next to an item without a vector', () => {
  const day = (n: number) => new Date(Date.now() - n * 86_400_000);

  // proves: output-shown/queued
  it('items of its author are shown, then new ones, each with its reason', () => {
    const catalogue = catalogueOf([
      change('queued', { author: 'a', status: 'queued' }),
      change('new', { author: 'b', publishedAt: day(1) }),
      change('same-author', { author: 'a', publishedAt: day(300) }),
      change('older', { publishedAt: day(20), placed: placedAt(0) }),
    ]);
    expect(rank(catalogue, similarTo('queued'))).toMatchObject({
      mode: 'contextual',
      model: null,
      isAll: true,
      ranked: [
        { id: 'same-author', reason: { code: 'author', value: 'a' } },
        { id: 'new', reason: { code: 'new' } },
        { id: 'older', reason: { code: 'new' } },
      ],
    });
  });

  // proves: output-answer/mode-popular
  it('an answer of new items alone has the mode popular, not contextual', () => {
    const catalogue = catalogueOf([change('queued', { author: 'a' }), change('new', { author: 'b' })]);
    expect(rank(catalogue, similarTo('queued'))).toMatchObject({ mode: 'popular', ranked: [{ id: 'new' }] });
    expect(rank(catalogue, similarTo('unheard-of')).ranked).toHaveLength(2);
  });
});
