import { describe, expect, it } from '@jest/globals';
import { newRecommendationId, OUTPUT_MODES, readRecommendationId } from '../../../domain/output/recommendationId.ts';

const VARIANTS = [null, { experiment: 'a', index: 0 }, { experiment: 'abcdefghij12', index: 9 }] as const;

describe('the id of an answer', () => {
  for (const mode of OUTPUT_MODES)
    for (const variant of VARIANTS)
      it(`contains the mode ${mode} and the variant ${variant?.experiment ?? 'none'}`, () => {
        const id = newRecommendationId({ mode, variant });
        expect(readRecommendationId(id)).toEqual({ mode, variant });
        expect(id).toMatch(/^[!-~]{24,64}$/);
      });

  // proves: output-snapshots/recommendation_id
  it('is unique', () => {
    const ids = Array.from({ length: 1_000 }, () => newRecommendationId({ mode: 'popular', variant: null }));
    expect(new Set(ids).size).toBe(1_000);
  });

  // proves: output-snapshots/recommendation_id
  it('is not recognised in any other form', () => {
    const id = newRecommendationId({ mode: 'personal', variant: { experiment: 'x1', index: 2 } });
    const others = [
      '',
      'order-4711',
      id.slice(0, -1),
      `${id}A`,
      ` ${id}`,
      `${id}\n`,
      id.replace('r1p', 'r2p'),
      id.replace('r1p', 'r1z'),
      id.replace('.x1.2.', '.X1.2.'),
      id.replace('.x1.2.', '.x1.22.'),
      id.replace('.x1.2.', '.x1.'),
      id.replace('.x1.2.', '.abcdefghij123.2.'),
    ];
    for (const other of others) expect(readRecommendationId(other)).toBeNull();
  });
});
