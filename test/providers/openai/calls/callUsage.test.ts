import { describe, expect, it } from '@jest/globals';
import { addUsage, tokenUsage } from '../../../../providers/openai/calls/callUsage.ts';

const usage = (inputTokens: number | null, images: number | null = null) => ({
  inputTokens,
  outputTokens: null,
  audioSeconds: null,
  images,
});

describe('usage', () => {
  it('is the sum of what is known', () => {
    expect(addUsage(usage(5, 1), usage(7, 2))).toEqual(usage(12, 3));
    expect(addUsage(null, usage(7))).toEqual(usage(7));
  });

  // proves: decisions-media/usage
  it('is unknown as soon as a part is', () => {
    expect(addUsage(usage(5), usage(null))).toEqual(usage(null));
    expect(addUsage(usage(null), usage(5))).toEqual(usage(null));
  });

  // proves: decisions-media/usage
  it.each<[unknown, number | null, number | null]>([
    [{ usage: { prompt_tokens: 5, completion_tokens: 0 } }, 5, 0],
    [{ usage: { input_tokens: 5, output_tokens: 3 } }, 5, 3],
    [{ usage: { prompt_tokens: '5', completion_tokens: -1 } }, null, null],
    [{ usage: { prompt_tokens: 5.5, completion_tokens: 1e300 } }, null, null],
    [{ usage: null }, null, null],
    [{}, null, null],
  ])('of %j is read without guessing', (body, inputTokens, outputTokens) => {
    expect(tokenUsage(body)).toEqual({ inputTokens, outputTokens, audioSeconds: null, images: null });
  });
});
