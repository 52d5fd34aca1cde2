import { describe, expect, it } from '@jest/globals';
import { chooseSentences } from '../../../../providers/builtin/summary/chooseSentences.ts';

const afterwards = (sentence: string): string =>
  /\p{Script=Cyrillic}/u.test(sentence) ? 'Мост откроют в мае будущего года.' : 'The bridge opened in May this year.';
const summaryOf = (text: string): string => chooseSentences([text], 600, null).text;

describe('the sentences of a summary', () => {
  it.each([
    'О новом мосте рассказал главный инженер.',
    'Ставьте тесто в холодильник на один час.',
    'Ставьте палатку на ровном месте в тени деревьев.',
    'Thanks to the new bridge, trips take ten minutes.',
    'Right angles are found in every square shape.',
    'Well water is tested twice every year.',
    'Brilliant colours fill the hall today.',
  ])('may begin like a filler: %s', (sentence) => {
    const text = `${sentence} ${afterwards(sentence)}`;
    expect(summaryOf(text)).toBe(text);
  });

  it.each([
    'О, какой прекрасный мост у нас.',
    'Ставьте лайки и подписывайтесь на наш канал.',
    'Ставьте палец вверх под этим видео.',
    'Всем привет, с вами снова наш канал.',
    'Right, let us look at this now.',
    'Thanks for watching this video today.',
  ])('do not include the filler: %s', (filler) => {
    expect(summaryOf(`${filler} ${afterwards(filler)}`)).toBe(afterwards(filler));
  });
});
