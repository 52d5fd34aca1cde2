import { describe, expect, it } from '@jest/globals';
import type { Boost } from '../../../../domain/output/boosts.ts';
import type { Ordering } from '../../../../output/messages/selectionMessages.ts';
import { rank } from '../../../../output/selection/rank/rank.ts';
import { catalogueOf, change, PLAIN_ORDERING, placedAt, similarTo } from '../../support/catalogues.ts';

const ordering = (given: Partial<Ordering>): Ordering => ({ ...PLAIN_ORDERING, ...given });
const idsOf = ({ ranked }: { ranked: readonly { id: string }[] }) => ranked.map(({ id }) => id);
const forKind = (value: string, factor: number): Boost => ({
  filter: { property: 'kind', op: 'eq', type: 'string', operands: [value], isWanted: true },
  factor,
});

describe('boosts', () => {
  it('apply before the cut, and also to items beyond the kept neighbours', () => {
    const catalogue = catalogueOf(
      Array.from({ length: 1_500 }, (_, n) =>
        change(`i-${n}`, { placed: placedAt(n / 25), properties: { kind: n === 1_400 ? 'rare' : 'usual' } }),
      ),
      ['kind'],
    );
    const boosted = rank(
      catalogue,
      similarTo('i-0', { limit: 3, ordering: ordering({ boosts: [forKind('rare', 10)] }) }),
    );
    expect(idsOf(boosted)[0]).toBe('i-1400');
    expect(boosted.ranked[0]?.score).toBeGreaterThan(boosted.ranked[1]?.score ?? Infinity);
    const away = rank(
      catalogue,
      similarTo('i-0', { limit: 3, ordering: ordering({ boosts: [forKind('usual', 0.1)] }) }),
    );
    expect(idsOf(away)[0]).toBe('i-1400');
    expect(idsOf(rank(catalogue, similarTo('i-0', { limit: 3 })))).not.toContain('i-1400');
  });

  it('remove nothing', () => {
    const catalogue = catalogueOf(
      [0, 10, 20, 30].map((at) => change(`at-${at}`, { placed: placedAt(at), properties: { kind: 'a' } })),
      ['kind'],
    );
    const answer = rank(catalogue, similarTo('at-0', { ordering: ordering({ boosts: [forKind('a', 0.1)] }) }));
    expect(idsOf(answer)).toEqual(['at-10', 'at-20', 'at-30']);
    expect(answer.isAll).toBe(true);
  });
});

describe('items that were shown recently', () => {
  it('move further down', () => {
    const catalogue = catalogueOf([0, 10, 20, 30].map((at) => change(`at-${at}`, { placed: placedAt(at) })));
    const lowered = [['at-10', 0.5]] as const;
    expect(idsOf(rank(catalogue, similarTo('at-0', { ordering: ordering({ lowered }) })))).toEqual([
      'at-20',
      'at-30',
      'at-10',
    ]);
  });
});

describe('a limit per author', () => {
  it("leaves an author's further items for later questions, and reports that there are more", () => {
    const catalogue = catalogueOf(
      Array.from({ length: 40 }, (_, n) =>
        change(`i-${n}`, { placed: placedAt(n), author: n < 20 ? 'loud' : n < 30 ? `a-${n}` : null }),
      ),
    );
    const asked = { limit: 15, ordering: ordering({ perAuthor: 2 }) };
    const first = rank(catalogue, similarTo('i-0', asked));
    expect(idsOf(first).slice(0, 4)).toEqual(['i-1', 'i-2', 'i-20', 'i-21']);
    expect(first).toMatchObject({ isAll: false });
    const passedOver = [...idsOf(first)];
    for (let round = 0; round < 20; round += 1) {
      const next = rank(catalogue, similarTo('i-0', { ...asked, passedOver }));
      passedOver.push(...idsOf(next));
      if (next.isAll) break;
    }
    expect(new Set(passedOver).size).toBe(39);
  });
});

describe('diversity', () => {
  const catalogue = catalogueOf([
    change('subject', { placed: placedAt(0) }),
    ...[20, 21, 22, 23].map((at) => change(`right-${at}`, { placed: placedAt(at) })),
    ...[-30, -31].map((at) => change(`left${at}`, { placed: placedAt(at) })),
  ]);

  // proves: output-request/diversity
  it('moves items up that differ from their neighbours', () => {
    const arranged = ordering({ diversity: 0.5, places: 10 });
    const answer = rank(catalogue, similarTo('subject', { ordering: arranged }));
    expect(idsOf(answer)[0]).toBe('right-20');
    expect(idsOf(answer)[1]).toMatch(/^left/);
    expect(idsOf(answer)).toHaveLength(6);
    expect(answer.isAll).toBe(true);
  });

  it('continues where the previous page ended', () => {
    const arranged = ordering({ diversity: 0.5, places: 10 });
    const [first = '', ...others] = idsOf(rank(catalogue, similarTo('subject', { ordering: arranged })));
    const next = similarTo('subject', { passedOver: [first], ordering: { ...arranged, before: [first] } });
    expect(idsOf(rank(catalogue, next))[0]).toBe(others[0]);
  });

  it('arranges more items than requested, but returns only as many as requested', () => {
    const answer = rank(
      catalogue,
      similarTo('subject', { limit: 2, ordering: ordering({ diversity: 0.5, places: 2 }) }),
    );
    expect(idsOf(answer)).toEqual(['right-20', expect.stringMatching(/^left/)]);
    expect(answer.isAll).toBe(false);
  });

  it.each([
    [100, 'is moved up', 1],
    [101, 'stays behind', -1],
  ])('arranges the best hundred: the only different item, number %i by score, %s', (number, _what, position) => {
    const alike = Array.from({ length: number - 1 }, (_, n) => change(`right-${n}`, { placed: placedAt(20 + n / 50) }));
    const different = change('left', { placed: placedAt(-30) });
    const large = catalogueOf([change('subject', { placed: placedAt(0) }), ...alike, different]);
    const asked = { limit: 10, ordering: ordering({ diversity: 0.5, places: 10 }) };
    expect(idsOf(rank(large, similarTo('subject', asked))).indexOf('left')).toBe(position);
  });
});
