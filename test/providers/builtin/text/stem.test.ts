import { describe, expect, it } from '@jest/globals';
import { stem } from '../../../../providers/builtin/text/stem.ts';
import { foldWord, splitWords } from '../../../../providers/builtin/text/words.ts';

describe('stem', () => {
  it.each([
    ['книга', 'книгами'],
    ['город', 'городов'],
    ['обучение', 'обучения'],
    ['Ёлка', 'елками'],
    ['учёный', 'ученые'],
    ['Running', 'runs'],
    ['library', 'Libraries'],
  ])('gives %s and %s the same stem', (a, b) => {
    expect(stem(foldWord(a))).toBe(stem(foldWord(b)));
  });

  it('keeps different words apart and does not change codes', () => {
    expect(stem('лес')).not.toBe(stem('лист'));
    expect(stem('mp3')).toBe('mp3');
  });

  it('folds decomposed letters into the same word', () => {
    expect(foldWord('й'.normalize('NFD') + 'ё'.normalize('NFD'))).toBe('йе');
  });
});

describe('splitWords', () => {
  it('keeps hyphens and apostrophes inside words and returns positions', () => {
    const text = "Научно-популярный журнал, don't — 12.";
    expect(splitWords(text).map((word) => word.text)).toEqual(['Научно-популярный', 'журнал', "don't", '12']);
    for (const word of splitWords(text)) expect(text.slice(word.start, word.end)).toBe(word.text);
  });
});
