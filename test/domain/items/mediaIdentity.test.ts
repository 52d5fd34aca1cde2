import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { compareMedia, type StoredMediumIdentity } from '../../../domain/items/mediaIdentity.ts';
import type { MediumWrite } from '../../../domain/items/item.ts';

/** Few distinct values, so that equal media are common. */
const medium = fc.record<MediumWrite>({
  kind: fc.constantFrom('video', 'audio', 'image'),
  url: fc.constantFrom('https://a.test/1', 'https://a.test/2', 'https://a.test/1","'),
  version: fc.constantFrom(null, '', '1', 'null'),
});
const list = fc.array(medium, { maxLength: 12 });
const key = ({ kind, url, version }: MediumWrite): string => JSON.stringify({ kind, url, version });

const stored = (media: readonly MediumWrite[]): StoredMediumIdentity[] =>
  media.map((each, position) => ({ ...each, mediumId: `m${position}`, position }));

function countOf(media: readonly MediumWrite[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const each of media) counts.set(key(each), (counts.get(key(each)) ?? 0) + 1);
  return counts;
}

describe('compareMedia', () => {
  it('fills every position once, from kept and added media', () => {
    fc.assert(
      fc.property(list, list, (before, after) => {
        const { kept, added } = compareMedia(stored(before), after);
        const positions = [...kept, ...added].map((each) => each.position).sort((a, b) => a - b);
        expect(positions).toEqual(after.map((_, index) => index));
      }),
    );
  });

  it('keeps as many of each medium as both lists contain, each with its own id', () => {
    fc.assert(
      fc.property(list, list, (before, after) => {
        const difference = compareMedia(stored(before), after);
        const [counts, wanted] = [countOf(before), countOf(after)];
        const expected = [...wanted].reduce((sum, [each, count]) => sum + Math.min(count, counts.get(each) ?? 0), 0);
        expect(difference.kept).toHaveLength(expected);
        expect(new Set(difference.kept.map(({ mediumId }) => mediumId)).size).toBe(expected);
        expect(difference.removed).toHaveLength(before.length - expected);
        expect(new Set([...difference.kept.map(({ mediumId }) => mediumId), ...difference.removed]).size).toBe(
          before.length,
        );
        for (const { mediumId, position } of difference.kept) {
          expect(key(before[Number(mediumId.slice(1))] as MediumWrite)).toBe(key(after[position] as MediumWrite));
        }
      }),
    );
  });

  // proves: decisions-items/reordered-media
  it('finds nothing to process in another order of the same media', () => {
    fc.assert(
      fc.property(
        list.chain((media) => fc.tuple(fc.constant(media), fc.shuffledSubarray(media, { minLength: media.length }))),
        ([before, after]) => {
          const { added, removed, kept, moved } = compareMedia(stored(before), after);
          expect([added, removed]).toEqual([[], []]);
          expect(moved).toBe(kept.some(({ mediumId, position }) => mediumId !== `m${position}`));
        },
      ),
    );
  });

  it('finds no change in the same list, including duplicates', () => {
    fc.assert(
      fc.property(list, (media) => {
        expect(compareMedia(stored(media), media)).toEqual({
          kept: media.map((_, position) => ({ mediumId: `m${position}`, position })),
          added: [],
          removed: [],
          moved: false,
        });
      }),
    );
  });

  // proves: decisions-items/medium
  it.each([
    ['kind', { kind: 'audio' }],
    ['url', { url: 'https://a.test/2' }],
    ['version', { version: '2' }],
  ])('treats another %s as another medium', (_, change) => {
    const before: MediumWrite = { kind: 'video', url: 'https://a.test/1', version: '1' };
    const difference = compareMedia(stored([before]), [{ ...before, ...change } as MediumWrite]);
    expect(difference).toMatchObject({ kept: [], removed: ['m0'] });
    expect(difference.added).toHaveLength(1);
  });
});
