import { describe, expect, it } from '@jest/globals';
import { createRandom } from '../../../../tools/load/random.ts';
import { maxDifferentBits, SKETCH_BYTES, sketchInto } from '../../../../output/selection/vectors/sketches.ts';
import { SketchColumns } from '../../../../output/selection/vectors/sketchColumns.ts';

const SLOTS = 9_000;
const DIMENSION = 64;

/** Every vector can be compared with every other. */
const ALL = { spaceOf: new Int16Array(SLOTS), space: 0 };

function someVectors(): Int8Array[] {
  const random = createRandom(5);
  return Array.from({ length: SLOTS }, () => Int8Array.from({ length: DIMENSION }, () => random.below(255) - 127));
}

const vectors = someVectors();

/** Computes the distances by a loop over bits. */
function differences(subject: Int8Array): number[] {
  const sketch = (vector: Int8Array): Uint8Array => {
    const into = new Uint8Array(SKETCH_BYTES);
    sketchInto(into, vector);
    return into;
  };
  const own = sketch(subject);
  return vectors.map((vector) =>
    sketch(vector).reduce((sum, byte, at) => {
      let bits = 0;
      for (let rest = byte ^ (own[at] as number); rest > 0; rest >>= 1) bits += rest & 1;
      return sum + bits;
    }, 0),
  );
}

function columnsOf(): SketchColumns {
  const columns = new SketchColumns();
  for (const [slot, vector] of vectors.entries()) columns.set(slot, vector);
  return columns;
}

describe('SketchColumns', () => {
  const columns = columnsOf();
  const subject = vectors[4_321] as Int8Array;
  const each = differences(subject);

  it('finds every slot whose sketch allows the requested cosine', () => {
    const most = maxDifferentBits(0.3);
    const expected = each.flatMap((bits, slot) => (bits <= most && slot < 8_500 ? [slot] : []));
    const found = columns.candidates(subject, { slots: 8_500, minCosine: 0.3, limit: SLOTS, ...ALL });
    expect([...found.slots]).toEqual(expected);
    expect(found.isAll).toBe(true);
    expect(expected.length).toBeGreaterThan(10);
    expect(expected.length).toBeLessThan(8_000);
  });

  it('finds the nearest if there are too many, among those that can be compared', () => {
    const spaceOf = Int16Array.from(vectors, (_, slot) => slot % 3);
    const found = columns.candidates(subject, { slots: SLOTS, minCosine: -1, limit: 100, spaceOf, space: 0 });
    const comparable = each.filter((_, slot) => slot % 3 === 0).toSorted((a, b) => a - b);
    const farthest = comparable[99] ?? NaN;
    expect([...found.slots]).toEqual(each.flatMap((bits, slot) => (bits <= farthest && slot % 3 === 0 ? [slot] : [])));
    expect(found.slots.length).toBeGreaterThanOrEqual(100);
    expect(found.isAll).toBe(false);
  });

  it('finds only slots that have a sketch', () => {
    const few = new SketchColumns();
    few.set(0, subject);
    const asked = { slots: 1, minCosine: 0.9, limit: 10, ...ALL };
    expect([...few.candidates(subject, asked).slots]).toEqual([0]);
    expect([...new SketchColumns().candidates(subject, asked).slots]).toEqual([]);
  });
});
