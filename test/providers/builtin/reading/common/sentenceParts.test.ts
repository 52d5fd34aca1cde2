import { describe, expect, it } from '@jest/globals';
import { sentenceParts } from '../../../../../providers/builtin/reading/common/sentenceParts.ts';

const TEXT = 'Trams run. Buses wait here. Rain falls.';

/** Splits at spaces. */
function tokensOf(text: string): { text: string; start: number }[] {
  return [...text.matchAll(/\S+/g)].map((match) => ({ text: match[0], start: match.index }));
}

function wordsOf(parts: readonly (readonly { text: string }[])[]): string[] {
  return parts.map((part) => part.map(({ text }) => text).join(' '));
}

describe('parts of whole sentences', () => {
  it('contain as many sentences as fit', () => {
    expect(wordsOf(sentenceParts(TEXT, tokensOf(TEXT), 5))).toEqual(['Trams run. Buses wait here.', 'Rain falls.']);
  });

  it('cut a sentence that is longer than a part', () => {
    expect(wordsOf(sentenceParts(TEXT, tokensOf(TEXT), 2))).toEqual([
      'Trams run.',
      'Buses wait',
      'here.',
      'Rain falls.',
    ]);
  });

  it('name the sentence of each token', () => {
    const [part] = sentenceParts(TEXT, tokensOf(TEXT), 100);
    expect(part?.map(({ sentence }) => sentence)).toEqual([0, 0, 1, 1, 1, 2, 2]);
  });
});
