import { describe, expect, it } from '@jest/globals';
import { interestKeys } from '../../../../output/interests.ts';
import { rank } from '../../../../output/selection/rank/rank.ts';
import { catalogueOf, change, nextAfter, placedAt } from '../../support/catalogues.ts';
import { modelOf } from '../../support/models.ts';

const old = new Date('2020-01-01T00:00:00Z');
const items = (...ids: string[]) => ids.map((id) => change(id, { publishedAt: old }));
const told = ({ ranked }: ReturnType<typeof rank>) => ranked.map(({ id, reason }) => [id, reason]);

async function catalogueWith(planted: Parameters<typeof modelOf>[0], ...ids: string[]) {
  const catalogue = catalogueOf(items(...ids));
  catalogue.model = await catalogue.mapToSlots(modelOf(planted));
  return catalogue;
}

describe('a ranking of what comes next', () => {
  it('returns what came after the item in other sessions, before what is used with it at any time', async () => {
    const catalogue = await catalogueWith(
      { id: 'm-3', transition: { a: { after: 0.2 } }, taste: { a: { with: 0.9 } } },
      'a',
      'with',
      'after',
      'other',
    );
    const answer = rank(catalogue, nextAfter(['a'], { limit: 2 }));
    expect(answer).toMatchObject({ mode: 'contextual', model: 'm-3' });
    expect(told(answer)).toEqual([
      ['after', { code: 'because_item', item: 'a' }],
      ['with', { code: 'because_item', item: 'a' }],
    ]);
  });

  it('depends mostly on the end of the session', async () => {
    const catalogue = await catalogueWith(
      { transition: { a: { 'after-a': 1 }, b: { 'after-b': 1 } } },
      'a',
      'b',
      'after-a',
      'after-b',
    );
    const first = (...session: string[]) => told(rank(catalogue, nextAfter(session)))[0];
    expect(first('a', 'b')).toEqual(['after-b', { code: 'because_item', item: 'b' }]);
    expect(first('b', 'a')).toEqual(['after-a', { code: 'because_item', item: 'a' }]);
  });

  it('considers the person, and then has the mode personal', async () => {
    const catalogue = await catalogueWith(
      { transition: { a: { x: 0.5, y: 0.5 } }, taste: { liked: { y: 1 } } },
      'a',
      'x',
      'y',
      'liked',
    );
    const taste = { items: [{ item: 'liked', weight: 3 }] };
    expect(rank(catalogue, nextAfter(['a'])).ranked[0]?.id).toBe('x');
    expect(rank(catalogue, nextAfter(['a'], { taste }))).toMatchObject({
      mode: 'personal',
      ranked: [{ id: 'y' }, {}, {}],
    });
  });

  // proves: output-shown/followed-authors
  it('considers interests and followed authors too', async () => {
    const catalogue = catalogueOf([
      change('a', { publishedAt: old }),
      change('other', { publishedAt: new Date() }),
      change('wanted', { publishedAt: old, tags: ['Чай'] }),
      change('followed', { publishedAt: old, author: 'x' }),
    ]);
    const taste = { interests: [{ key: interestKeys(['чай'])[0] ?? '', value: 'чай' }], followedAuthors: ['x'] };
    const answer = rank(catalogue, nextAfter(['a'], { taste }));
    expect(answer.mode).toBe('personal');
    expect(told(answer)).toEqual([
      ['wanted', { code: 'interest', value: 'чай' }],
      ['followed', { code: 'author', value: 'x' }],
      ['other', { code: 'new' }],
    ]);
  });
});

describe('a ranking of what comes next, without a model', () => {
  it('returns items similar to the item, then those by its author', () => {
    const catalogue = catalogueOf([
      change('a', { placed: placedAt(0), author: 'x', publishedAt: old }),
      change('near', { placed: placedAt(15), publishedAt: old }),
      change('same-author', { author: 'x', publishedAt: old }),
      change('other', { publishedAt: old }),
    ]);
    const answer = rank(catalogue, nextAfter(['a']));
    expect(answer).toMatchObject({ mode: 'contextual', isAll: true });
    expect(told(answer)).toEqual([
      ['near', { code: 'similar', item: 'a' }],
      ['same-author', { code: 'author', value: 'x' }],
      ['other', { code: 'new' }],
    ]);
  });

  it('returns popular and new items after an unknown item', () => {
    const catalogue = catalogueOf(items('a', 'b'));
    expect(rank(catalogue, nextAfter(['a']))).toMatchObject({ mode: 'popular', ranked: [{ id: 'b' }] });
    expect(rank(catalogue, nextAfter(['unheard-of'])).ranked).toHaveLength(2);
  });
});
