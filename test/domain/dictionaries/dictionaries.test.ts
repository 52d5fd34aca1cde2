import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import * as everything from '../../../domain/dictionaries/index.ts';
import { loadList } from '../../../domain/dictionaries/loadDictionary.ts';
import { stemKey } from '../../../domain/dictionaries/stems.ts';
import { topicWords } from '../../../domain/dictionaries/topicWords.ts';
import { LANGUAGES } from '../../../domain/language.ts';

const { cities, countries, dictionaries, purchaseCategories, regions, topics } = everything;
const LISTS = join(import.meta.dirname, '../../../domain/dictionaries/lists');
const CYRILLIC = /[а-яё]/i;
const OTHERS = LANGUAGES.filter((language) => language !== 'ru');

const { interestOf, placeOf } = dictionaries;
const topicOf = (text: string): string | null => {
  const interest = interestOf(text);
  return interest?.isTopic ? interest.interest : null;
};

describe('the dictionaries', () => {
  it('are as large as documented', () => {
    expect(topics.size).toBeGreaterThanOrEqual(300);
    expect(countries.size).toBe(249);
    expect([...regions.keys()].filter((id) => id.startsWith('RU-'))).toHaveLength(83);
    expect(cities.size).toBeGreaterThan(400);
    for (const list of Object.values(everything).filter((one) => one instanceof Map))
      expect(list.size).toBeGreaterThan(2);
  });

  it('have words for every topic that is a subject of texts', () => {
    const known = new Set(topicWords.map(({ topic }) => topic.id));
    const wordless = [...topics.keys()].filter((id) => !known.has(id));
    expect(wordless).toEqual(['hobbies', 'news', 'news-world', 'news-local', 'society', 'services']);
  });

  it('have English words of every topic, for its vector', () => {
    expect(topicWords.filter(({ english }) => english.length === 0)).toEqual([]);
  });

  // proves: decisions-visitors/dictionaries
  it.each(readdirSync(LISTS))(
    '%s has its version, and a name of each entry in every language, with Cyrillic letters only in Russian',
    (file) => {
      const document = JSON.parse(readFileSync(join(LISTS, file), 'utf8')) as Record<string, unknown>;
      expect(file).toMatch(new RegExp(`\\.v${String(document['version'])}\\.json$`));
      const lists = Object.keys(document).filter((key) => Array.isArray(document[key]));
      const entries = lists.flatMap((list) => [...loadList(file, list, /./).values()]);
      expect(entries).not.toEqual([]);
      for (const { id, ru: _russian, ...entry } of entries)
        for (const language of OTHERS) expect([id, entry[language]]).toEqual([id, expect.not.stringMatching(CYRILLIC)]);
    },
  );

  it('have Russian names of places in Cyrillic', () => {
    for (const { id, ru } of [...countries.values(), ...regions.values(), ...cities.values()])
      expect({ id, isCyrillic: CYRILLIC.test(ru) }).toEqual({ id, isCyrillic: true });
  });

  it('mark sensitive entries and everything below them', () => {
    for (const list of [topics, purchaseCategories]) {
      for (const { id, parent, sensitive } of list.values())
        if (parent !== undefined && list.get(parent)?.sensitive)
          expect({ id, sensitive }).toEqual({ id, sensitive: true });
    }
    for (const id of ['health', 'society-politics', 'society-religion', 'society-lgbt', 'society-ethnicity'])
      expect(topics.get(id)?.sensitive).toBe(true);
  });

  it('are refused with the position of the fault when they are malformed', () => {
    expect(() => loadList('interests.v1.json', 'nothing', /./)).toThrow('nothing is not a list');
    expect(() => loadList('interests.v1.json', 'topics', /^\d+$/)).toThrow(/topics: .*its id is malformed/);
    expect(() => loadList('interests.v9.json', 'topics', /./)).toThrow(/interests\.v9\.json/);
  });
});

describe('interestOf', () => {
  it('finds every topic by its id, its names and its synonyms', () => {
    for (const { id, ru, en, synonyms = [] } of topics.values()) {
      for (const text of [id, ru, en, ...synonyms, ru.toUpperCase(), `  ${en} `])
        expect([text, topicOf(text)]).toEqual([text, id]);
    }
  });

  it.each([
    ['футболом', 'sport-football'],
    ['Интересуюсь футболом', 'sport-football'],
    ['поездки на море и пляжный отдых', 'travel-beach'],
    ['вязание крючком', 'hobbies-handmade'],
    ['ПУТЕШЕСТВИЯ ЗА ГРАНИЦЕЙ', 'travel-abroad'],
    ['machine-learning', 'tech-ai'],
    ['running shoes', 'fashion-shoes'],
    ['купить котёнка', null],
    ['ёлочные игрушки', 'family-toys'],
    ['anime', 'cinema-anime'],
    ['animation', 'cinema-cartoons'],
    ['нечто неслыханное', null],
    ['', null],
    ['   ', null],
    ['!!!', null],
    ['и', null],
  ])('finds in %j the topic %s', (text, topic) => {
    expect(topicOf(text)).toBe(topic);
  });

  it('does not look for topics in long texts', () => {
    expect(topicOf('мой дедушка очень любил футбол и ещё много разных других вещей')).toBeNull();
  });

  it('keeps the folded form of a text without a topic, but nothing that looks like an address or a number', () => {
    expect(interestOf('  Нечто   НЕСЛЫХАННОЕ, ещё ')).toEqual({
      interest: 'нечто неслыханное, еще',
      isTopic: false,
      isSensitive: false,
    });
    for (const text of ['anna@example.ru', '+7 916 123-45-67', '４５６７８', '']) expect(interestOf(text)).toBeNull();
  });

  it('never throws, returns the same each time, and leaves its own output unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const interest = interestOf(text);
        expect(interestOf(text)).toEqual(interest);
        if (interest !== null) expect(interestOf(interest.interest)).toEqual(interest);
      }),
    );
  });
});

describe('placeOf', () => {
  it('finds every city by its id, and by its names within its own region', () => {
    for (const { id, in: place, ru, en, aliases = [] } of cities.values()) {
      expect(placeOf({ city: id })?.city).toBe(id);
      const within = place.length === 2 ? { country: place } : { region: place };
      for (const name of [ru, en, ...aliases])
        expect([name, placeOf({ ...within, city: name })?.city]).toEqual([name, id]);
    }
  });

  it.each<[string, object]>([
    ['г. Москва', { country: 'RU', region: 'RU-MOW', city: 'ru-moscow' }],
    ['СПБ', { country: 'RU', region: 'RU-SPE', city: 'ru-saint-petersburg' }],
    ['Ростов на Дону', { country: 'RU', region: 'RU-ROS', city: 'ru-rostov-on-don' }],
    ['казань, Татарстан', { country: 'RU', region: 'RU-TA', city: 'ru-kazan' }],
    ['Орел', { country: 'RU', region: 'RU-ORL', city: 'ru-oryol' }],
    ['Paris', { country: 'FR', region: null, city: 'fr-paris' }],
    ['Малые Вязёмы', { country: null, region: null, city: 'малые вяземы' }],
  ])('reads %s', (city, place) => {
    expect(placeOf({ city })).toEqual(place);
  });

  it('fills in what is implied, and finds a name within the given place', () => {
    expect(placeOf({ region: 'RU-TA' })).toEqual({ country: 'RU', region: 'RU-TA', city: null });
    expect(placeOf({ country: 'DE' })).toEqual({ country: 'DE', region: null, city: null });
    expect(placeOf({ country: 'US', city: 'Paris' })).toEqual({ country: 'US', region: null, city: 'paris' });
    expect(placeOf({ region: 'RU-MOS', city: 'Казань' })).toEqual({ country: 'RU', region: 'RU-MOS', city: 'казань' });
  });

  it('keeps no street, number or e-mail address', () => {
    for (const city of ['Ленина 5, кв 1234', 'anna@example.ru', '89161234567', ''])
      expect(placeOf({ city })).toBeNull();
  });
});

describe('the key of stems', () => {
  it('does not depend on the order of words, case, ё or connecting words', () => {
    expect(stemKey('Еда и НАПИТКИ')).toBe(stemKey('напитки, еда'));
    expect(stemKey('актёры')).toBe(stemKey('актеры'));
  });

  it.each([
    'toy toys',
    'fly flies flying',
    'try tries tried',
    'pay pays paying payed',
    'age ages aged aging',
    'use uses used using',
    'add adds added adding',
    'err errs erred erring',
    'pie pies',
    'ski skis skiing',
    'car cars',
  ])('is the same for the forms of a word of three letters: %s', (forms) => {
    expect(new Set(forms.split(' ').map(stemKey)).size).toBe(1);
  });

  it.each([
    ['us', 'using'],
    ['ad', 'adding'],
    ['ski', 'skies'],
  ])('distinguishes %s from %s', (one, other) => {
    expect(stemKey(one)).not.toBe(stemKey(other));
  });
});
