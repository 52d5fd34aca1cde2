import { describe, expect, it } from '@jest/globals';
import {
  fingerprintOfGrey,
  hamming,
  markDuplicates,
  sameFrame,
} from '../../../../activities/media/pictures/sameFrames.ts';

const SIDE = 128;

/** Returns a grey picture of 128 × 128 from a function of the coordinates. */
const picture = (grey: (x: number, y: number) => number) =>
  fingerprintOfGrey(Uint8Array.from({ length: SIDE * SIDE }, (_, at) => grey(at % SIDE, Math.floor(at / SIDE))));

/** Returns deterministic noise of ± `range`. */
const noise = (x: number, y: number, range: number) =>
  ((Math.imul(x * 374761393 + y * 668265263, 1274126177) >>> 16) % (2 * range + 1)) - range;

describe('dhash', () => {
  it('sets a bit where the left cell is brighter', () => {
    expect(picture((x) => 255 - x).dhash).toBe('ffffffffffffffff');
    expect(picture((x) => x).dhash).toBe('0000000000000000');
  });

  it('has no bits for the noise of a plain background', () => {
    expect(picture((x, y) => 240 + noise(x, y, 3)).dhash).toBe('0000000000000000');
  });

  it('encodes the first row in the first two digits', () => {
    expect(picture((x, y) => (y < 16 ? 255 - x : 0)).dhash).toBe('ff00000000000000');
  });

  it('rejects a picture of another size', () => {
    expect(() => fingerprintOfGrey(new Uint8Array(64))).toThrow(RangeError);
  });

  it('counts differing bits', () => {
    expect(hamming('0000000000000000', 'ffffffffffffffff')).toBe(64);
    expect(hamming('8000000000000001', '0000000000000000')).toBe(2);
    expect(hamming('0123456789abcdef', '0123456789abcdef')).toBe(0);
  });
});

describe('sameFrame', () => {
  const scene = (x: number, y: number) => 128 + 60 * Math.sin(x / 9) + 40 * Math.cos(y / 13);

  // proves: decisions-media/duplicates
  it('ignores the noise of re-encoding', () => {
    expect(
      sameFrame(
        picture(scene),
        picture((x, y) => scene(x, y) + noise(x, y, 8)),
      ),
    ).toBe(true);
  });

  /** A line of large letters on white: strokes 4 pixels wide with soft edges, at random places. */
  const heading = (seed: number) => (x: number, y: number) => {
    if (y < 30 || y > 38 || x > 100) return 250;
    const isLetter = noise(x >> 2, seed, 8) > 0;
    return (isLetter ? 20 : 250) + (y === 30 || y === 38 ? (isLetter ? 110 : 0) : 0);
  };

  it('tells slides apart that differ in one large heading', () => {
    const [first, second] = [picture(heading(1)), picture(heading(2))];
    expect(hamming(first.dhash, second.dhash)).toBeLessThanOrEqual(6);
    expect(sameFrame(first, second)).toBe(false);
    expect(sameFrame(first, picture(heading(1)))).toBe(true);
  });

  // proves: decisions-media/duplicates
  it('does not merge pictures whose hashes are more than 6 bits apart', () => {
    const turned = picture((x, y) => scene(y, x));
    expect(hamming(picture(scene).dhash, turned.dhash)).toBeGreaterThan(6);
    expect(sameFrame(picture(scene), turned)).toBe(false);
  });

  // proves: decisions-media/duplicates
  it.each([
    ['3f', true],
    ['7f', false],
  ])('merges pictures whose hashes are 6 bits apart, but not 7: %s', (lastBits, isSame) => {
    const frame = picture(scene);
    const [one, other] = ['00', lastBits].map((last) => ({ ...frame, dhash: `00000000000000${last}` }));
    expect(one && other && sameFrame(one, other)).toBe(isSame);
  });

  // proves: decisions-media/duplicates
  it('does not merge slides that differ in one letter, although their hashes are equal', () => {
    const slide = (letterAt: number) => picture((x, y) => (y === 40 && x >= letterAt && x < letterAt + 3 ? 120 : 255));
    expect(slide(20).dhash).toBe(slide(30).dhash);
    expect(sameFrame(slide(20), slide(30))).toBe(false);
    expect(sameFrame(slide(20), slide(20))).toBe(true);
  });

  // proves: decisions-media/duplicates
  it('merges camera pictures in which little moves', () => {
    const moved = picture((x, y) => scene(x, y) + noise(x, y, 9) + (x > 60 && x < 70 && y > 60 && y < 70 ? 40 : 0));
    expect(sameFrame(picture(scene), moved)).toBe(true);
  });

  it('does not treat a slide with one small word as flat', () => {
    expect(picture((x, y) => (y === 40 && x >= 20 && x < 23 ? 120 : 255)).flat).toBe(false);
  });

  it('treats black and white as flat, but not as the same', () => {
    const [black, dark, white] = [0, 3, 255].map((grey) => picture(() => grey));
    expect([black?.flat, dark?.flat, white?.flat]).toEqual([true, true, true]);
    expect(black && dark && sameFrame(black, dark)).toBe(true);
    expect(black && white && sameFrame(black, white)).toBe(false);
    expect(picture(scene).flat).toBe(false);
  });
});

describe('markDuplicates', () => {
  // proves: decisions-media/duplicates
  it('gives a repeated frame the time of the original, even if a duplicate is in between', () => {
    const [bright, dark] = [picture((x) => 255 - x), picture((x) => x)];
    const frames = [bright, dark, bright, bright].map((fingerprint, ts) => ({ ts, fingerprint }));
    expect(markDuplicates(frames).map(({ duplicateOfTs }) => duplicateOfTs)).toEqual([null, null, 0, 0]);
  });
});
