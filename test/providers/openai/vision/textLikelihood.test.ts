import { describe, expect, it } from '@jest/globals';
import { likelyShowsText } from '../../../../providers/openai/vision/textLikelihood.ts';
import { fence, foliage, linesOfStrokes, sky } from '../pictures.ts';

describe('the check for small text in a frame', () => {
  it('recognises lines of print', async () => {
    expect(await likelyShowsText(await linesOfStrokes(1024, 576))).toBe(true);
  });

  it.each([
    ['leaves', foliage],
    ['a sky', sky],
    ['a fence', fence],
  ])('is not misled by %s', async (_, draw) => {
    expect(await likelyShowsText(await draw(1024, 576))).toBe(false);
  });

  it('leaves an unreadable picture to the provider', async () => {
    expect(await likelyShowsText(Buffer.from('not a picture'))).toBe(false);
  });
});
