import { describe, expect, it } from '@jest/globals';
import { DICTIONARY_NAMES, lookUp } from '../../../domain/dictionaries/lookUp.ts';

const ids = (...asked: Parameters<typeof lookUp>): string[] => lookUp(...asked).map(({ id }) => id);

describe('a dictionary', () => {
  it('is found in by either name, another name or the id, whatever the case', () => {
    expect(ids('cities', 'казан', 1)).toEqual(['ru-kazan']);
    expect(ids('cities', 'KAZAN', 1)).toEqual(['ru-kazan']);
    expect(ids('countries', 'росс', 1)).toEqual(['RU']);
    expect(ids('interests', 'электрокар', 5)).toContain('auto-electric');
    expect(ids('purchase-categories', 'tabl', 1)).toEqual(['tablets']);
  });

  it('tells first what begins like this', () => {
    const [first] = lookUp('countries', 'инди', 5);
    expect(first?.ru).toMatch(/^Инди/);
    expect(ids('interests', 'авто', 50)[0]).toBe('auto');
  });

  it('tells what an entry is part of', () => {
    expect(lookUp('cities', 'ru-kazan', 1)).toEqual([{ id: 'ru-kazan', ru: 'Казань', en: 'Kazan', parent: 'RU-TA' }]);
    expect(lookUp('regions', 'RU-TA', 1)[0]?.parent).toBe('RU');
  });

  it.each(DICTIONARY_NAMES)(
    '%s tells its first entries where nothing is typed, and nothing for what is nowhere',
    (name) => {
      expect(lookUp(name, '', 7)).toHaveLength(7);
      expect(lookUp(name, 'нет такого нигде', 7)).toEqual([]);
    },
  );
});
