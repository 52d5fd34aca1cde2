import { describe, expect, it } from '@jest/globals';
import { detectLanguage, languageOfWords } from '../../../../providers/builtin/text/detectLanguage.ts';
import { SAMPLES } from './language.samples.ts';

describe('detectLanguage', () => {
  it('takes no Russian or English sample for another language, is wrong about at most 2 % of all, and unsure about at most 5 %', () => {
    const answers = SAMPLES.map(([expected, text]) => ({ expected, text, answer: detectLanguage(text) }));
    const wrong = answers.filter(({ expected, answer }) => answer !== null && answer !== expected);
    const unknown = answers.filter(({ answer }) => answer === null);
    expect(wrong.filter(({ expected }) => expected !== 'other')).toEqual([]);
    expect(wrong.length / SAMPLES.length).toBeLessThanOrEqual(0.02);
    expect(unknown.length / SAMPLES.length).toBeLessThanOrEqual(0.05);
  });

  it.each(['', '   ', '123 456', '!!! 🙂', 'Nike Max', 'BMW X5'])('does not recognise the language of %j', (text) => {
    expect(detectLanguage(text)).toBeNull();
  });

  it('uses the larger part of a mixed text', () => {
    expect(detectLanguage('Обзор игры Red Dead Redemption: стоит ли играть сегодня')).toBe('ru');
    expect(detectLanguage('The word перестройка means restructuring and was used widely in the press')).toBe('en');
  });

  it('reads only the beginning of a long text', () => {
    expect(
      detectLanguage(
        'Каждый день приносит что-то новое. '.repeat(200) + 'Every day brings something new. '.repeat(30_000),
      ),
    ).toBe('ru');
  });
});

describe('languageOfWords', () => {
  const GERMAN = 'Ich weiß nicht, was soll es bedeuten, dass ich so traurig bin';

  it.each([
    ['the language of the words', 'We are going home tomorrow', 'ru', 'en'],
    ['the stated language if the words are in a third one', GERMAN, 'de', 'de'],
    ['none if the words contradict it', GERMAN, 'en', null],
    ['the stated language if the words say nothing', 'Nike Max', 'en', 'en'],
    ['none without words', '  ', 'en', null],
  ])('returns %s', (_what, text, stated, expected) => {
    expect(languageOfWords(text, stated)).toBe(expected);
  });
});
