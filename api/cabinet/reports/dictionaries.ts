/** Looks up the names of codes of interests, purchases and places: GET /dictionaries/… */
import Type from 'typebox';
import { DICTIONARY_NAMES, lookUp, type DictionaryName, type FoundEntry } from '../../../domain/dictionaries/lookUp.ts';
import { nullable, strictObject, text } from '../../../domain/schemas/schema.ts';
import { define } from '../cabinetOperation.ts';

const MAX_ENTRIES = 50;
const DEFAULT_ENTRIES = 10;

const Entries = Type.Object(
  {
    items: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          ru: Type.String(),
          en: Type.String(),
          parent: nullable(Type.String({ description: 'Чего это часть: темы, раздела, региона или страны' })),
        } satisfies Record<keyof FoundEntry, Type.TSchema>,
        { title: 'DictionaryEntry' },
      ),
    ),
  },
  { title: 'DictionaryEntries' },
);

const ABOUT: Readonly<Record<DictionaryName, { summary: string; example: FoundEntry }>> = {
  interests: {
    summary: 'Найти интерес',
    example: { id: 'auto-electric', ru: 'Электромобили', en: 'Electric cars', parent: 'auto' },
  },
  'purchase-categories': {
    summary: 'Найти раздел покупок',
    example: { id: 'tablets', ru: 'Планшеты и электронные книги', en: 'Tablets and e-readers', parent: 'electronics' },
  },
  countries: { summary: 'Найти страну', example: { id: 'RU', ru: 'Россия', en: 'Russia', parent: null } },
  regions: { summary: 'Найти регион', example: { id: 'RU-TA', ru: 'Татарстан', en: 'Tatarstan', parent: 'RU' } },
  cities: { summary: 'Найти город', example: { id: 'ru-kazan', ru: 'Казань', en: 'Kazan', parent: 'RU-TA' } },
};

const capitalized = (name: string): string =>
  name.replaceAll(/(?:^|-)(\w)/g, (_all, letter: string) => letter.toUpperCase());

const lookUpIn = (name: DictionaryName) =>
  define({
    method: 'get',
    path: `/dictionaries/${name}`,
    operationId: `lookUp${capitalized(name)}`,
    tag: 'dictionaries',
    summary: ABOUT[name].summary,
    description:
      'По названию на любом языке кабинета, другому названию или коду: сначала те, что так начинаются, затем те, где это есть.',
    access: 'viewer',
    query: strictObject({
      q: Type.Optional(text(100, { description: 'Что набрано; без этого — первые' })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_ENTRIES, default: DEFAULT_ENTRIES })),
    }),
    replies: { 200: { description: 'Найденное', schema: Entries, example: { items: [ABOUT[name].example] } } },
    errors: [],
    handle: ({ query: { q = '', limit = DEFAULT_ENTRIES } }) =>
      Promise.resolve({ status: 200, body: { items: lookUp(name, q, limit) } }),
  });

export const dictionaryOperations = DICTIONARY_NAMES.map(lookUpIn);
