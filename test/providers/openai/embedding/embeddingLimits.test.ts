import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { boundTokens, planBatches, truncateToTokens } from '../../../../providers/openai/embedding/embeddingLimits.ts';

describe('limits of embedding requests', () => {
  it.each([
    ['hello world', 9],
    ['привет', 6],
    ['日本', 6],
    ['🙂', 4],
    ['', 0],
  ])('counts %j as at most %d tokens', (text, tokens) => {
    expect(boundTokens(text)).toBe(tokens);
  });

  it('does not change a text within the limit', () => {
    const text = 'ж'.repeat(8_192);
    expect(truncateToTokens(text)).toBe(text);
  });

  it('cuts a longer text between characters, within the limit', () => {
    const cut = truncateToTokens('🙂'.repeat(3_000));
    expect(cut).toBe('🙂'.repeat(2_048));
    expect(boundTokens(cut)).toBeLessThanOrEqual(8_192);
  });

  it('keeps all texts, in order, in batches within the limits', () => {
    const texts = fc.array(
      fc.nat({ max: 8_000 }).map((length) => 'ж'.repeat(length)),
      { maxLength: 150 },
    );
    fc.assert(
      fc.property(texts, (list) => {
        const batches = planBatches(list);
        expect(batches.flat()).toEqual(list);
        for (const batch of batches)
          expect(batch.reduce((sum, text) => sum + text.length, 0)).toBeLessThanOrEqual(300_000);
        expect(batches.every((batch) => batch.length > 0 && batch.length <= 512)).toBe(true);
      }),
      { numRuns: 50 },
    );
  });
});
