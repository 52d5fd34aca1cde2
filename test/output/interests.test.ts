import { describe, expect, it } from '@jest/globals';
import { interestKeys, itemInterestKeys } from '../../output/interests.ts';

const same = (a: string, b: string) => interestKeys([a, b]).length === 1;

describe('interests', () => {
  // proves: output-shown/excluded_interests
  it('are the same in any form and order of their words', () => {
    expect(same('Рецепты супов', 'супа рецепт')).toBe(true);
    expect(same('Ёлочные игрушки', 'игрушка елочная')).toBe(true);
    expect(same('рецепты супов', 'рецепты тортов')).toBe(false);
  });

  // proves: output-shown/excluded_interests
  it('are the same by any name of a topic in the dictionary', () => {
    expect(same('Автомобили', 'машины')).toBe(true);
    expect(same('auto', 'vehicles')).toBe(true);
    expect(same('SUV', 'кроссоверы')).toBe(true);
  });

  // proves: output-shown/excluded_interests
  it('cover the topics that are part of them, and not the other way round', () => {
    const covers = (named: string, label: string) => itemInterestKeys([label]).includes(interestKeys([named])[0] ?? '');
    expect(covers('Автомобили', 'Внедорожники')).toBe(true);
    expect(covers('машины', 'джипы')).toBe(true);
    expect(covers('Внедорожники', 'Автомобили')).toBe(false);
    expect(covers('Внедорожники', 'Мотоциклы')).toBe(false);
    expect(itemInterestKeys(['джип', 'SUV', 'авто'])).toHaveLength(2);
  });

  it('do not match a topic that is only mentioned', () => {
    expect(same('автомобили', 'модели автомобилей из бумаги')).toBe(false);
  });

  it('count even without letters, but not if they are empty', () => {
    expect(interestKeys(['🎬', '🎬 ', '🎮', '', '  '])).toEqual(['🎬', '🎮']);
  });
});
