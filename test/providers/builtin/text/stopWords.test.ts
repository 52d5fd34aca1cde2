import { describe, expect, it } from '@jest/globals';
import { isStopWord, STOP_WORDS } from '../../../../providers/builtin/text/stopWords.ts';
import { splitWords } from '../../../../providers/builtin/text/words.ts';
import { extractKeywords } from '../../../../providers/builtin/summary/keywords.ts';

describe('isStopWord', () => {
  it.each(['’', "'"])('finds every word of the lists in a text with the apostrophe %s', (apostrophe) => {
    const listed = [...STOP_WORDS.ru, ...STOP_WORDS.en];
    const words = splitWords(listed.join(' ').toUpperCase().replaceAll("'", apostrophe));
    expect(words).toHaveLength(listed.length);
    expect(words.filter(({ folded }) => !isStopWord(folded))).toEqual([]);
  });

  it('keeps contractions out of the keywords', () => {
    const text = 'The tram won’t stop here. It doesn’t stop there. We don’t know why the tram won’t stop.';
    expect(extractKeywords([{ kind: 'body', text, weight: 1 }]).words.join(' ')).not.toMatch(/’/);
  });
});
