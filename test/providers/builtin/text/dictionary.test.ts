import { describe, expect, it } from '@jest/globals';
import { dictionaryForm, isKnownWord } from '../../../../providers/builtin/text/dictionary.ts';
import { nominative } from '../../../../providers/builtin/text/nominative.ts';

describe('dictionaryForm', () => {
  it.each([
    ['ремонта', 'ремонт', 'noun'],
    ['области', 'область', 'noun'],
    ['музеями', 'музей', 'noun'],
    ['депо', 'депо', 'noun'],
    ['подойдут', 'подойти', 'verb'],
    ['бесплатно', 'бесплатный', 'adjective'],
    ['libraries', 'library', 'noun'],
    ['walked', 'walk', 'verb'],
  ])('of %s is %s', (word, base, kind) => {
    expect(dictionaryForm(word)).toEqual({ base, kind });
  });

  it('is unknown for words in no dictionary', () => {
    expect(['твам', 'оерот', 'qwrtz', '漢字', 'мixed'].map(isKnownWord)).toEqual([false, false, false, false, false]);
  });
});

describe('nominative', () => {
  it('puts a phrase in any case into the nominative', () => {
    expect(['машинного обучения', 'новую книгу', 'общему делу', 'public libraries'].map(nominative)).toEqual([
      'машинное обучение',
      'новая книга',
      'общее дело',
      'public libraries',
    ]);
  });

  it('is null for any phrase but an adjective and a noun, because the dependencies are unknown', () => {
    expect(['едет трамвай', 'торможение двигателем', 'корпусу новостей'].map(nominative)).toEqual([null, null, null]);
  });
});
