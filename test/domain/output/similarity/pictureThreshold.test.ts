import { describe, expect, it } from '@jest/globals';
import { pictureThreshold } from '../../../../domain/output/similarity/pictureThreshold.ts';

/** Cosines spread like a normal distribution, without chance: the quantiles of 200 equal shares. */
function spreadAround(middle: number, deviation: number): number[] {
  return Array.from({ length: 200 }, (_, at) => {
    const share = (at + 0.5) / 200;
    // The logistic quantile is within 5 % of the normal one here.
    return middle + (deviation * Math.log(share / (1 - share))) / 1.702;
  });
}

describe('the least cosine of a picture that counts', () => {
  it('stands out from the pictures that show something else', () => {
    const unrelated = spreadAround(0.16, 0.02);
    const least = pictureThreshold('jina-clip-v2', [...unrelated, 0.29], unrelated.length + 1);
    expect(least).toBeGreaterThan(0.2);
    expect(least).toBeLessThan(0.25);
  });

  it('moves with the model, whose unrelated pictures may all have high cosines', () => {
    expect(pictureThreshold('other-model', spreadAround(0.5, 0.01), 200)).toBeGreaterThan(0.53);
    expect(pictureThreshold('google/siglip-so400m', spreadAround(0, 0.02), 200)).toBeLessThan(0.09);
  });

  it('is never above the cosine of a certain match, even if most of a catalogue matches', () => {
    expect(pictureThreshold('ViT-B-32-CLIP', spreadAround(0.33, 0.02), 200)).toBe(0.3);
  });

  it('is never below the lowest credible value for the model', () => {
    expect(pictureThreshold('clip-vit-base-patch32', spreadAround(0.02, 0.01), 200)).toBe(0.18);
  });

  it('is the middle of the credible values for the model if there are too few pictures', () => {
    expect(pictureThreshold('clip-vit-base-patch32', [0.2, 0.3], 2)).toBeCloseTo(0.24);
    expect(pictureThreshold('other-model', [0.2, 0.3], 2)).toBe(0.25);
  });
});
