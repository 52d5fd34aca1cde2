import { describe, expect, it } from '@jest/globals';
import { SUMS, USUAL_PERIOD } from '../../../../domain/output/popularity.ts';
import type { Catalogue } from '../../../../output/selection/catalogue/catalogue.ts';
import { rank } from '../../../../output/selection/rank/rank.ts';
import { RegionCounts } from '../../../../output/selection/catalogue/regionCounts.ts';
import { NO_RULES } from '../../../support/showRules.ts';
import { catalogueOf, change, feedFor, placedAt } from '../../support/catalogues.ts';
import { modelOf } from '../../support/models.ts';

const idsOf = ({ ranked }: { ranked: readonly { id: string }[] }) => ranked.map(({ id }) => id);
const old = new Date('2020-01-01T00:00:00Z');
const items = (...ids: string[]) => ids.map((id) => change(id, { publishedAt: old }));
const met = (...ids: string[]) => ids.map((item) => ({ item, weight: 1 }));
const only = (...ids: string[]) => ({ ...NO_RULES, excludedItems: new Set(ids) });

async function withModel(catalogue: Catalogue, planted: Parameters<typeof modelOf>[0]): Promise<Catalogue> {
  catalogue.model = await catalogue.mapToSlots(modelOf(planted));
  return catalogue;
}
const popular = (catalogue: Catalogue, id: string, count: number) =>
  catalogue.popularity.set(
    catalogue.slotOf(id) ?? -1,
    Array.from({ length: SUMS }, () => count),
  );

describe('a feed for somebody without history', () => {
  it('has popular items, then new ones, and is as long as the catalogue', () => {
    const catalogue = catalogueOf([...items('old', 'hit'), change('new', { publishedAt: new Date() })]);
    popular(catalogue, 'hit', 40);
    const answer = rank(catalogue, feedFor());
    expect(answer).toMatchObject({ mode: 'popular', model: null, isAll: true });
    expect(answer.ranked.map(({ id, reason }) => [id, reason])).toEqual([
      ['hit', { code: 'popular' }],
      ['new', { code: 'new' }],
      ['old', { code: 'new' }],
    ]);
  });

  // proves: output-shown/followed-authors
  it('has items on the interests and by the followed authors first', () => {
    const catalogue = catalogueOf([
      change('hit', { publishedAt: old }),
      change('soup', { publishedAt: old, tags: ['супы'], topics: ['кулинария'] }),
      change('both', { publishedAt: old, tags: ['супы'], author: 'a-1' }),
      change('by-author', { publishedAt: old, author: 'a-1' }),
      change('other', { publishedAt: old, tags: ['трамваи'], author: 'a-2' }),
    ]);
    const key = catalogue.itemAt(catalogue.slotOf('both') ?? -1)?.interests[0] ?? '';
    const taste = { interests: [{ key, value: 'Суп' }], followedAuthors: ['a-1'] };
    const { ranked, mode } = rank(catalogue, feedFor({ taste, limit: 3 }));
    expect(mode).toBe('personal');
    expect(ranked[0]?.id).toBe('both');
    expect(Object.fromEntries(ranked.slice(1).map(({ id, reason }) => [id, reason]))).toEqual({
      soup: { code: 'interest', value: 'Суп' },
      'by-author': { code: 'author', value: 'a-1' },
    });
  });

  it('follows an item that changes its author and its topics', () => {
    const catalogue = catalogueOf([change('one', { author: 'a-1', tags: ['супы'] }), ...items('two')]);
    catalogue.apply([change('one', { author: 'a-2', tags: ['трамваи'], publishedAt: old })]);
    catalogue.apply([change('two', { author: 'a-1', publishedAt: old })]);
    const { ranked } = rank(catalogue, feedFor({ taste: { followedAuthors: ['a-1'] } }));
    expect(ranked.map(({ id, reason }) => [id, reason.code])).toEqual([
      ['two', 'author'],
      ['one', 'new'],
    ]);
  });
});

describe('a feed for somebody at a place', () => {
  // proves: output-request/context, output-answer/mode-contextual
  it('has what is popular there before what is popular everywhere', () => {
    const catalogue = catalogueOf(items('hit', 'local', 'other'));
    popular(catalogue, 'hit', 1_000);
    const counts = [{ itemId: 'local', total: 9, fast: 9, slow: 9 }];
    catalogue.regions.keep('kazan', USUAL_PERIOD, new RegionCounts(counts, (id) => catalogue.slotOf(id)));
    const answer = rank(catalogue, feedFor({ places: [{ key: 'kazan', value: 'Казань' }] }));
    expect(answer.mode).toBe('contextual');
    expect(answer.ranked.map(({ id, reason }) => [id, reason])).toEqual([
      ['local', { code: 'region', value: 'Казань' }],
      ['hit', { code: 'popular' }],
      ['other', { code: 'new' }],
    ]);
  });
});

describe('a feed without a model', () => {
  const places = { 'trams-1': 0, 'trams-2': 10, 'soups-1': 90, 'soups-2': 100, between: 47 };
  const catalogue = () =>
    catalogueOf(Object.entries(places).map(([id, at]) => change(id, { placed: placedAt(at), publishedAt: old })));

  it('begins with items similar to each of the last items, not with those in between', () => {
    const taste = { items: met('trams-1', 'soups-1') };
    const answer = rank(catalogue(), feedFor({ taste, rules: only('trams-1', 'soups-1') }));
    expect(answer.mode).toBe('personal');
    expect(answer.ranked.map(({ id, reason }) => [id, reason])).toEqual([
      ['trams-2', { code: 'similar', item: 'trams-1' }],
      ['soups-2', { code: 'similar', item: 'soups-1' }],
      ['between', { code: 'similar', item: 'trams-1' }],
    ]);
  });

  // proves: output-shown/negative-weights
  it('has items similar to an unwanted item last', () => {
    const taste = { items: [{ item: 'trams-1', weight: -4 }] };
    expect(idsOf(rank(catalogue(), feedFor({ taste, rules: only('trams-1') }))).at(-1)).toBe('trams-2');
  });
});

describe('a feed with a model', () => {
  it('has what people with the same items used, by the items that weigh most', async () => {
    const catalogue = await withModel(catalogueOf(items('a', 'b', 'from-a', 'from-b', 'popular')), {
      id: 'm-7',
      taste: { a: { 'from-a': 0.5 }, b: { 'from-b': 0.5 } },
      blend: { popularity: 0.1 },
    });
    popular(catalogue, 'popular', 1_000);
    const feed = (first: number, second: number) =>
      rank(
        catalogue,
        feedFor({
          taste: {
            items: [
              { item: 'a', weight: first },
              { item: 'b', weight: second },
            ],
          },
          rules: only('a', 'b'),
          explain: true,
        }),
      );
    const answer = feed(1, 1);
    expect(answer).toMatchObject({ mode: 'personal', model: 'm-7' });
    expect(answer.ranked[0]).toMatchObject({ id: 'from-a', reason: { code: 'because_item', item: 'a' } });
    expect(answer.ranked[0]?.parts?.['taste']).toBe(1);
    expect(idsOf(answer)).toEqual(['from-a', 'from-b', 'popular']);
    expect(idsOf(feed(1, 8))[0]).toBe('from-b');
    expect(idsOf(feed(1, -1)).at(-1)).toBe('from-b');
  });

  it('forgets at the pace of the model', async () => {
    const taste = { a: { 'from-a': 1 }, b: { 'from-b': 0.8 } };
    const forgetting = async (halfLifeEvents: number) => {
      const catalogue = await withModel(catalogueOf(items('a', 'b', 'from-a', 'from-b')), {
        taste,
        blend: { halfLifeEvents },
      });
      return idsOf(rank(catalogue, feedFor({ taste: { items: met('b', 'a') }, rules: only('a', 'b') })))[0];
    };
    expect(await forgetting(100)).toBe('from-a');
    expect(await forgetting(0.5)).toBe('from-b');
  });

  it('combines its parts as the blend says', async () => {
    const planted = { taste: { a: { tasted: 1 } }, transition: { a: { next: 1 } } };
    const first = async (blend: object) => {
      const catalogue = await withModel(catalogueOf(items('a', 'tasted', 'next')), { ...planted, blend });
      return idsOf(rank(catalogue, feedFor({ taste: { items: met('a') }, rules: only('a') })))[0];
    };
    expect(await first({ taste: 1, transition: 0.2 })).toBe('tasted');
    expect(await first({ taste: 0.2, transition: 1 })).toBe('next');
    expect(await first({ taste: 0, transition: 1 })).toBe('next');
  });

  it('uses content for items that hardly anybody has met yet', async () => {
    const near = (id: string, at: number) => change(id, { placed: placedAt(at), publishedAt: old });
    const ranked = async (people: number) => {
      const catalogue = await withModel(
        catalogueOf([near('a', 0), near('unmet', 12), near('met', 10), ...items('tasted')]),
        { taste: { a: { tasted: 0.3 }, met: { a: 0.1 } }, people, blend: { content: 0.1 } },
      );
      return rank(catalogue, feedFor({ taste: { items: met('a') }, rules: only('a') }));
    };
    const answer = await ranked(1_000);
    expect(idsOf(answer)).toEqual(['tasted', 'unmet', 'met']);
    expect(answer.ranked[1]?.reason).toEqual({ code: 'similar', item: 'a' });
    expect(answer.ranked[1]?.score).toBeCloseTo(0.5, 1);
    expect(answer.ranked[2]?.score).toBeLessThan(0.2);
    expect(idsOf(await ranked(0))).toEqual(['tasted', 'met', 'unmet']);
  });

  it('compares by content to the extent that the model does not know the items of the person', async () => {
    const contentOf = async (people: number) => {
      const catalogue = await withModel(
        catalogueOf([
          change('a', { placed: placedAt(0), publishedAt: old }),
          change('b', { placed: placedAt(20), publishedAt: old }),
        ]),
        { taste: { a: { b: 0.3 } }, people },
      );
      const asked = feedFor({ taste: { items: met('a') }, rules: only('a'), explain: true });
      return rank(catalogue, asked).ranked[0]?.parts?.['content'];
    };
    expect(await contentOf(0)).toBeCloseTo(1, 5);
    expect(await contentOf(5)).toBeCloseTo(0.5, 5);
    expect(await contentOf(995)).toBeCloseTo(0.005, 5);
  });

  it.each([0, 5, 20, 1_000])('counts content once if the model knows %d people who met the item', async (people) => {
    const catalogue = await withModel(
      catalogueOf([
        change('a', { placed: placedAt(0), publishedAt: old }),
        change('unmet', { placed: placedAt(20), publishedAt: old }),
        ...items('tasted'),
      ]),
      { taste: { a: { tasted: 0.3 } }, people, blend: { content: 0.5, popularity: 0 } },
    );
    const asked = feedFor({ taste: { items: met('a') }, rules: only('a'), explain: true });
    const parts = rank(catalogue, asked).ranked.find(({ id }) => id === 'unmet')?.parts ?? {};
    expect((parts['content'] ?? 0) + (parts['unmet'] ?? 0)).toBeCloseTo(0.5, 3);
  });

  it('does not compare known items by content because a few recent items are unknown', async () => {
    const at = (id: string, degrees: number) => change(id, { placed: placedAt(degrees), publishedAt: old });
    const known = Array.from({ length: 45 }, (_, n) => `known-${n}`);
    const recent = Array.from({ length: 5 }, (_, n) => `recent-${n}`);
    const catalogue = await withModel(
      catalogueOf([...items(...known, 'tasted'), ...recent.map((id) => at(id, 0)), at('near', 5)]),
      {
        taste: { 'known-0': { tasted: 1 }, near: Object.fromEntries(known.map((id) => [id, 0.1])) },
        blend: { halfLifeEvents: 4, lasting: 0.5, content: 0.5 },
      },
    );
    const ids = [...recent, ...known];
    const asked = feedFor({ taste: { items: met(...ids) }, rules: only(...ids), explain: true });
    const near = rank(catalogue, asked).ranked.find(({ id }) => id === 'near');
    expect(near?.parts?.['content']).toBeGreaterThan(0);
    expect(near?.parts?.['content']).toBeLessThan(0.1);
  });

  it('has popular items before new ones for somebody without history, whatever the blend', async () => {
    const catalogue = await withModel(catalogueOf([...items('hit'), change('new', { publishedAt: new Date() })]), {
      taste: { hit: { new: 1 } },
      blend: { popularity: 0 },
    });
    popular(catalogue, 'hit', 40);
    const answer = rank(catalogue, feedFor());
    expect([idsOf(answer), answer.ranked[0]?.reason.code]).toEqual([['hit', 'new'], 'popular']);
  });

  it('compares by content with recent items, though tastes last', async () => {
    const at = (id: string, degrees: number) => change(id, { placed: placedAt(degrees), publishedAt: old });
    const recent = Array.from({ length: 5 }, (_, n) => at(`recent-${n}`, 100 + n));
    const others = items(...Array.from({ length: 30 }, (_, n) => `other-${n}`));
    const ids = [...recent, ...others].map(({ id }) => id);
    const catalogue = await withModel(
      catalogueOf([at('bought', 0), ...recent, ...others, at('like-bought', 5), at('like-recent', 105)]),
      { taste: {}, people: 0, blend: { halfLifeEvents: 4, lasting: 0.5 } },
    );
    const taste = [...ids.map((item) => ({ item, weight: 1 })), { item: 'bought', weight: 5 }];
    const answer = rank(catalogue, feedFor({ taste: { items: taste }, rules: only('bought', ...ids) }));
    expect(idsOf(answer)[0]).toBe('like-recent');
  });

  it('names its parts on request, and they add up to the score', async () => {
    const catalogue = await withModel(
      catalogueOf([
        change('a', { placed: placedAt(0), publishedAt: old }),
        change('b', { placed: placedAt(20), author: 'x' }),
      ]),
      { taste: { a: { b: 0.3 } } },
    );
    popular(catalogue, 'b', 3);
    const taste = { items: met('a'), followedAuthors: ['x'] };
    const [best] = rank(catalogue, feedFor({ taste, rules: only('a'), explain: true })).ranked;
    expect(Object.keys(best?.parts ?? {}).toSorted()).toEqual(['authors', 'content', 'popularity', 'recency', 'taste']);
    const sum = Object.values(best?.parts ?? {}).reduce((total, part) => total + part, 0);
    expect(sum).toBeCloseTo(best?.score ?? 0, 3);
  });
});

describe('the rules of a feed', () => {
  it('apply before the ranking: a few matches fill the page', async () => {
    const catalogue = await withModel(
      catalogueOf(Array.from({ length: 500 }, (_, n) => change(`i-${n}`, { author: n % 100 === 7 ? 'x' : 'y' }))),
      { taste: { 'i-0': Object.fromEntries(Array.from({ length: 99 }, (_, n) => [`i-${n + 1}`, 1 / (n + 2)])) } },
    );
    const rules = { ...NO_RULES, authors: new Set(['x']) };
    const answer = rank(catalogue, feedFor({ taste: { items: met('i-0') }, rules, limit: 5 }));
    expect(idsOf(answer).toSorted()).toEqual(['i-107', 'i-207', 'i-307', 'i-407', 'i-7']);
    expect(idsOf(answer)[0]).toBe('i-7');
    expect(answer.isAll).toBe(true);
  });

  it('leave out skipped items, and continue to the end', () => {
    const catalogue = catalogueOf(Array.from({ length: 50 }, (_, n) => change(`i-${n}`)));
    const first = rank(catalogue, feedFor({ limit: 30 }));
    const second = rank(catalogue, feedFor({ limit: 30, passedOver: idsOf(first) }));
    expect([first.isAll, second.isAll]).toEqual([false, true]);
    expect(new Set([...idsOf(first), ...idsOf(second)]).size).toBe(50);
  });
});
