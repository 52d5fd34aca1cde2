import { describe, expect, it } from '@jest/globals';
import { interpretQuery } from '../../../../../output/search/match/words/interpretQuery.ts';
import { cpuMsOf } from '../../../../support/cpuTime.ts';
import { libraryOf } from '../../support/library.ts';

describe('the corrections of a query', () => {
  it('cost no more if thousands of long words are like each of its words', async () => {
    // The binary digits of the number, after the same beginning: most words differ only at their ends.
    const wordOf = (n: number): string =>
      'рооророророоророор' + Array.from({ length: 14 }, (_, bit) => 'ро'[(n >> bit) & 1]).join('');
    const { index, synonyms } = libraryOf([
      { id: 'alike', texts: [Array.from({ length: 10_000 }, (_, n) => wordOf(n)).join(' ')] },
    ]);
    const words = Array.from({ length: 14 }, (_, n) => `${wordOf(n)}ц`);
    let corrected: string | null = null;
    const ms = await cpuMsOf(() => {
      ({ corrected } = interpretQuery(words.join(' '), { index, synonyms, typos: true, prefix: false }));
    });
    expect(String(corrected).split(' ')).toEqual([wordOf(0), ...Array.from({ length: 13 }, () => expect.any(String))]);
    expect(ms).toBeLessThan(1_500);
  });
});
