import { describe, expect, it } from '@jest/globals';
import { createMatrices } from '../../../../providers/builtin/arithmetic/matrices.ts';
import { INTEGER_NORM } from '../../../../providers/builtin/arithmetic/weights.ts';

/** Returns small integers: sums of their products are exact in 32 bits. */
const numbers = (count: number, seed: number): Float32Array =>
  Float32Array.from({ length: count }, (_, index) => ((index * 37 + seed * 11) % 19) - 9);

function product(rows: readonly number[][], weights: Float32Array, bias: Float32Array): number[][] {
  const columns = bias.length;
  return rows.map((row) =>
    Array.from(bias, (start, column) =>
      row.reduce((sum, value, index) => sum + value * (weights[index * columns + column] ?? 0), start),
    ),
  );
}

describe('createMatrices', () => {
  // A panel has 8 columns: 16 are two panels, 40 are four and one, 72 are eight and one.
  it.each([1, 2, 3, 4, 5, 8, 11].flatMap((count) => [16, 40, 72].map((columns) => [count, columns] as const)))(
    'multiplies %d rows by a matrix of %d columns',
    (count, columns) => {
      const matrices = createMatrices(10_000);
      const [weights, bias] = [numbers(12 * columns, 1), numbers(columns, 2)];
      const kept = matrices.keep(weights, 12, columns, bias);
      const from = matrices.take(count * 12);
      from.set(numbers(count * 12, 3));
      const to = matrices.take((count + 1) * columns);
      matrices.multiply({ data: from, stride: 12 }, kept, { data: to, stride: columns }, count);
      const rows = Array.from({ length: count }, (_, row) => [...from.subarray(row * 12, row * 12 + 12)]);
      expect([...to.subarray(0, count * columns)]).toEqual(product(rows, weights, bias).flat());
      expect([...to.subarray(count * columns)]).toEqual(Array.from({ length: columns }, () => 0));
    },
  );

  it.each([1, 3, 4, 9].flatMap((count) => [24, 40].map((columns) => [count, columns] as const)))(
    'multiplies %d rows of integers by a matrix of %d columns',
    (count, columns) => {
      const matrices = createMatrices(10_000);
      const [weights, bias] = [numbers(16 * columns, 1), numbers(columns, 2)];
      const kept = matrices.keepIntegers(weights, 16, columns, bias);
      const from = matrices.take(count * 16);
      from.set(numbers(from.length, 3));
      const rounded = matrices.takeIntegers(from.length);
      const scale = 9 / 8_000;
      matrices.round(from, rounded, from.length, scale);
      expect([...rounded]).toEqual([...from].map((value) => Math.round((value / 9) * 8_000)));
      const to = matrices.take((count + 1) * columns);
      matrices.multiplyIntegers({ data: rounded, stride: 16, scale }, kept, { data: to, stride: columns }, count);
      const rows = Array.from({ length: count }, (_, row) => [...from.subarray(row * 16, row * 16 + 16)]);
      const expected = product(rows, weights, bias).flat();
      expect(Math.max(...expected)).toBeGreaterThan(50);
      for (const [at, value] of expected.entries()) expect(to[at]).toBeCloseTo(value, 1);
      expect([...to.subarray(count * columns)]).toEqual(Array.from({ length: columns }, () => 0));
    },
  );

  it('adds up integers as large as they may be without an overflow', () => {
    const matrices = createMatrices(100_000);
    const size = 1_024;
    // The row equals the column, so their product is as large as any.
    const column = Float32Array.from({ length: size }, (_, at) => (at % 3 === 0 ? -1 : 1));
    const weights = Float32Array.from({ length: size * 8 }, (_, at) => column[Math.floor(at / 8)] ?? 0);
    const kept = matrices.keepIntegers(weights, size, 8, new Float32Array(8));
    const from = matrices.take(size);
    from.set(column);
    const rounded = matrices.takeIntegers(size);
    const scale = Math.sqrt(size) / INTEGER_NORM;
    matrices.round(from, rounded, size, scale);
    const to = matrices.take(8);
    matrices.multiplyIntegers({ data: rounded, stride: size, scale }, kept, { data: to, stride: 8 }, 1);
    for (const value of to) expect(value).toBeCloseTo(size, 2);
  });

  it('refuses integers that do not fill whole vectors', () => {
    const matrices = createMatrices(1_000);
    expect(() => matrices.round(matrices.take(20), matrices.takeIntegers(20), 20, 1)).toThrow(RangeError);
    expect(() => matrices.keepIntegers(new Float32Array(4 * 8), 4, 8, new Float32Array(8))).toThrow(RangeError);
  });

  it('reads rows that overlap and writes rows that are apart', () => {
    const matrices = createMatrices(10_000);
    const weights = numbers(8 * 8, 4);
    const kept = matrices.keep(weights, 8, 8);
    const from = matrices.take(4 * 7);
    from.set(numbers(4 * 7, 5));
    const to = matrices.take(6 * 20);
    matrices.multiply({ data: from, stride: 4 }, kept, { data: to.subarray(3), stride: 20 }, 6);
    const windows = Array.from({ length: 6 }, (_, row) => [...from.subarray(row * 4, row * 4 + 8)]);
    const expected = product(windows, weights, new Float32Array(8));
    for (const [row, values] of expected.entries())
      expect([...to.subarray(row * 20, row * 20 + 20)]).toEqual([0, 0, 0, ...values, ...Array<number>(9).fill(0)]);
  });

  it('adds a row to another one, or to the positive part of that one', () => {
    const matrices = createMatrices(10_000);
    const [to, from] = [matrices.take(80), matrices.take(80)];
    to.set(numbers(80, 6));
    from.set(numbers(80, 7));
    const before = [...to];
    matrices.add(to, 16, from, 32, 32);
    expect([...to]).toEqual(before.map((value, at) => (at >= 16 && at < 48 ? value + (from[at + 16] ?? 0) : value)));
    to.set(before);
    matrices.rectify(to, 48, from, 0, 16);
    expect([...to]).toEqual(
      before.map((value, at) => (at >= 48 && at < 64 ? Math.max(0, value) + (from[at - 48] ?? 0) : value)),
    );
    expect(() => matrices.add(to, 0, from, 0, 20)).toThrow(RangeError);
  });

  it('adds up the numbers of one row, and their squares', () => {
    const matrices = createMatrices(1_000);
    const row = matrices.take(64);
    row.set(numbers(64, 9));
    const own = [...row.subarray(16, 48)];
    expect(matrices.sums(row, 16, 32)).toEqual({
      sum: own.reduce((sum, value) => sum + value),
      squares: own.reduce((sum, value) => sum + value * value, 0),
    });
    expect(() => matrices.sums(row, 0, 20)).toThrow(RangeError);
  });

  it('adds normalised rows in 64-bit floats', () => {
    const matrices = createMatrices(1_000);
    matrices.take(1); // so that the 64-bit floats do not follow at once
    const [to, from] = [matrices.takeDoubles(32), matrices.take(64)];
    to.set(numbers(32, 1));
    from.set(numbers(64, 2).map((value) => value / 7));
    const spread = { mean: 1 / 3, factor: 1 / 11 };
    const expected = Array.from(to, (value, at) => value + ((from[16 + at] ?? 0) - spread.mean) * spread.factor);
    matrices.addNormalised(to, from, 16, spread);
    expect([...to]).toEqual(expected);
  });

  it('scales the positive part of a row, and rounds once', () => {
    const matrices = createMatrices(1_000);
    const [row, factors, addends] = [matrices.take(24), matrices.take(8), matrices.take(8)];
    row.set(numbers(24, 3).map((value) => value / 7));
    factors.set(numbers(8, 4).map((value) => value / 3));
    addends.set(numbers(8, 5).map((value) => value / 11));
    const before = [...row];
    matrices.scale(row, 8, factors, addends);
    expect([...row]).toEqual(
      before.map((value, at) =>
        at < 8 || at >= 16 ? value : Math.fround(Math.max(0, value) * (factors[at - 8] ?? 0) + (addends[at - 8] ?? 0)),
      ),
    );
  });

  it.each([1, 2])('reads windows that are %d pixels apart, channel by channel', (stride) => {
    const [width, channels, outWidth, height] = [9, 8, 3, 2];
    const matrices = createMatrices(10_000);
    const from = matrices.take(width * 6 * channels);
    from.set(numbers(from.length, 1).map((value) => value / 8));
    const [weights, bias] = [numbers(9 * channels, 2).map((value) => value / 8), numbers(channels, 3)];
    const to = matrices.take(outWidth * height * channels + 4);
    const windows = matrices.keepWindows(weights, bias);
    matrices.convolve({ data: from, width }, windows, { data: to, width: outWidth }, { height, stride });
    const at = (y: number, x: number, channel: number): number => {
      let sum = bias[channel] ?? 0;
      for (let place = 0; place < 9; place += 1) {
        const pixel = (y * stride + Math.floor(place / 3)) * width + x * stride + (place % 3);
        sum += (from[pixel * channels + channel] ?? 0) * (weights[place * channels + channel] ?? 0);
      }
      return Math.min(6, Math.max(0, sum));
    };
    const expected = Array.from({ length: outWidth * height * channels }, (_, index) => {
      const pixel = Math.floor(index / channels);
      return at(Math.floor(pixel / outWidth), pixel % outWidth, index % channels);
    });
    expect([...to]).toEqual([...expected, 0, 0, 0, 0]);
    expect(new Set(expected).size).toBeGreaterThan(10);
  });

  it('clamps numbers between 0 and 6', () => {
    const matrices = createMatrices(1_000);
    const row = matrices.take(48);
    row.set(numbers(48, 8));
    const expected = numbers(48, 8).map((value, at) => (at < 32 ? Math.min(6, Math.max(0, value)) : value));
    matrices.clamp(row, 32);
    expect([...row]).toEqual([...expected]);
  });

  it('refuses a matrix that does not fit its panels, and more than there is room for', () => {
    const matrices = createMatrices(16_000);
    expect(() => matrices.keep(new Float32Array(30), 3, 10)).toThrow(RangeError);
    expect(() => matrices.keep(new Float32Array(32), 4, 16)).toThrow(RangeError);
    expect(() => matrices.keepWindows(new Float32Array(54), new Float32Array(6))).toThrow(RangeError);
    expect(() => matrices.clamp(matrices.take(20), 20)).toThrow(RangeError);
    expect(() => matrices.take(20_000)).toThrow(RangeError);
  });
});
