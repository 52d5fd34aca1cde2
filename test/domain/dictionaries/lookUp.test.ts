import { describe, expect, it } from '@jest/globals';
import { DICTIONARY_NAMES, lookUp } from '../../../domain/dictionaries/lookUp.ts';

const ids = (...asked: Parameters<typeof lookUp>): string[] => lookUp(...asked).map(({ id }) => id);

describe('a dictionary', () => {
  it('can be searched by a name in any language, a synonym or the id, in upper or lower case', () => {
    expect(ids('cities', 'казан', 1)).toEqual(['ru-kazan']);
    expect(ids('cities', 'KAZAN', 1)).toEqual(['ru-kazan']);
    expect(ids('countries', 'росс', 1)).toEqual(['RU']);
    expect(ids('interests', 'электрокар', 5)).toContain('auto-electric');
    expect(ids('purchase-categories', 'tabl', 1)).toEqual(['tablets']);
  });

  it('lists entries that begin with the text first', () => {
    const [first] = lookUp('countries', 'инди', 5);
    expect(first?.ru).toMatch(/^Инди/);
    expect(ids('interests', 'авто', 50)[0]).toBe('auto');
  });

  it('says what an entry is part of', () => {
    expect(lookUp('cities', 'ru-kazan', 1)).toMatchObject([
      { id: 'ru-kazan', ru: 'Казань', en: 'Kazan', parent: 'RU-TA' },
    ]);
    expect(lookUp('regions', 'RU-TA', 1)[0]?.parent).toBe('RU');
  });

  it.each(DICTIONARY_NAMES)('%s lists its first entries for an empty text, and nothing for an unknown one', (name) => {
    expect(lookUp(name, '', 7)).toHaveLength(7);
    expect(lookUp(name, 'нет такого нигде', 7)).toEqual([]);
  });
});
