import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isSuppressed, similarityOf } from '../../../domain/output/similarity/similarity.ts';
import { cosine, itemVector, product, type ItemVector } from '../../../domain/output/vectors.ts';

const placed = (numbers: readonly number[], model = 'm'): ItemVector => {
  const vector = itemVector([Float32Array.from(numbers)]);
  if (vector === null) throw new Error('no direction');
  return { ...vector, model };
};
const direction = (dimension: number) =>
  fc
    .array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: dimension, maxLength: dimension })
    .filter((numbers) => Math.hypot(...numbers) > 0.1);

describe('product', () => {
  it('is the sum of products, for any length and from any offset', () => {
    const numbers = fc.array(fc.integer({ min: -127, max: 127 }), { maxLength: 40 });
    fc.assert(
      fc.property(numbers, fc.nat(9), fc.nat(9), (given, skippedA, skippedB) => {
        const a = Int8Array.from([...Array(skippedA).fill(99), ...given]);
        const b = Int8Array.from([...Array(skippedB).fill(-99), ...given.toReversed()]);
        const expected = given.reduce((sum, value, at) => sum + value * (given.at(-1 - at) ?? 0), 0);
        expect(product(a, skippedA, b, skippedB, given.length)).toBe(expected);
      }),
    );
  });
});

describe('cosine', () => {
  it('is that of the numbers, within 0.02', () => {
    fc.assert(
      fc.property(direction(24), direction(24), (a, b) => {
        const exact = a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0) / Math.hypot(...a) / Math.hypot(...b);
        expect(Math.abs(cosine(placed(a), placed(b)) - exact)).toBeLessThan(0.02);
      }),
    );
  });

  it('keeps its precision in many dimensions with small numbers', () => {
    const at = (shift: number) => Array.from({ length: 1_536 }, (_, n) => Math.sin(n * 12.9898 + shift));
    const [a, b] = [at(0), at(0.5)];
    const exact = a.reduce((sum, value, n) => sum + value * (b[n] ?? 0), 0) / Math.hypot(...a) / Math.hypot(...b);
    expect(cosine(placed(a), placed(b))).toBeCloseTo(exact, 2);
  });

  it('is 1 for a vector and itself, and 0 across models and dimensions', () => {
    expect(cosine(placed([0.3, -0.2]), placed([0.6, -0.4]))).toBeCloseTo(1, 5);
    expect(cosine(placed([1, 0]), placed([1, 0], 'other'))).toBe(0);
    expect(cosine(placed([1, 0]), placed([1, 0, 0]))).toBe(0);
  });
});

describe('itemVector', () => {
  it('has the direction of the sum of its chunks', () => {
    const vector = itemVector([Float32Array.of(1, 0), Float32Array.of(0, 1)]);
    expect(vector && [...vector.vector]).toEqual([127, 127]);
    expect(vector?.norm).toBeCloseTo(127 * Math.SQRT2, 5);
  });

  it('is null without a direction', () => {
    expect(itemVector([])).toBeNull();
    expect(itemVector([Float32Array.of(1, 0), Float32Array.of(-1, 0)])).toBeNull();
    expect(itemVector([Float32Array.of(Number.NaN, 1)])).toBeNull();
    expect(itemVector([Float32Array.of(Infinity, 1)])).toBeNull();
  });
});

describe('similarityOf', () => {
  it('depends on the name of the model, whoever provides it', () => {
    expect(similarityOf('openai/text-embedding-ada-002')).toEqual(similarityOf('text-embedding-ada-002'));
    expect(similarityOf('openai/text-embedding-ada-002').similar).toBeGreaterThan(0.7);
    expect(similarityOf('builtin-embed-2')).not.toEqual(similarityOf('anything'));
    expect(similarityOf('constructor')).toEqual(similarityOf('anything'));
  });

  it('has a minimum below the threshold from which two items count as the same', () => {
    for (const model of ['builtin-embed-2', 'text-embedding-3-small', 'text-embedding-ada-002', 'x']) {
      const { similar, same } = similarityOf(model);
      expect(similar).toBeLessThan(same);
    }
  });
});

describe('isSuppressed', () => {
  // proves: output-shown/suppress-content
  it('covers nearly identical items of the same model', () => {
    const bought = placed([1, 0]);
    expect(isSuppressed(placed([1, 0.1]), [placed([0, 1]), bought])).toBe(true);
    expect(isSuppressed(placed([1, 1]), [bought])).toBe(false);
    expect(isSuppressed(placed([1, 0], 'other'), [bought])).toBe(false);
    expect(isSuppressed(placed([1, 0]), [])).toBe(false);
  });
});
