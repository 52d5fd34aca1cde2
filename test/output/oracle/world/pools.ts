/** Values for the worlds: few, so that all combinations occur. */
import type { EventKind, PropertyType } from './world.ts';

export const AUTHORS = ['author-a', 'author-b', 'author-c', 'author-d', 'author-e', 'author-f'] as const;

/** Titles that differ in one word are the same by the built-in vectors, like colours of one product. */
const SERIES = [
  'Кофеварка капельная Утро на шестьсот миллилитров с таймером и стеклянным кувшином',
  'Чайник электрический Заря из нержавеющей стали с подсветкой и двойными стенками',
  'Велосипед городской Ветер на семь передач с корзиной и багажником',
];
const COLOURS = ['белая', 'чёрная', 'красная', 'синяя', 'зелёная', 'серая'];
export const SERIES_TITLES = SERIES.flatMap((title) => COLOURS.map((colour) => `${title}, ${colour}`));

const THINGS = ['История', 'Рецепт', 'Обзор', 'Ремонт', 'Выставка', 'Прогулка', 'Урок', 'Секреты'];
const OF_WHAT = [
  'трамваев Петербурга',
  'борща со свёклой',
  'городских велосипедов',
  'старых кофеварок',
  'деревянных домов',
  'морских маяков',
  'зимнего сада',
  'harbour lights',
];
export const TITLES = THINGS.flatMap((thing) => OF_WHAT.map((what) => `${thing} ${what}`));

/** Words of titles as queries use them, some in another form. */
export const QUERY_WORDS = [
  'история',
  'рецепты',
  'обзор',
  'ремонт',
  'трамваи',
  'борщ',
  'велосипед',
  'кофеварка',
  'чайник',
  'маяков',
  'harbour',
  'петербург',
  'сад',
];
/** Words after a minus, in the form in which titles have them. */
export const MINUS_WORDS = ['трамваев', 'борща', 'кофеварка', 'белая', 'ремонт', 'обзор', 'маяков', 'harbour'];

/** Topics and tags of items, and the wordings in which people say that they do not want them. */
export const LABELS = [
  'Кино',
  'фильмы',
  'movies',
  'Сериалы',
  'Музыка',
  'Джаз',
  'Мебель',
  'Настольные игры',
  'Посуда',
  'Старый транспорт',
  'рецепты супов',
  'зимние маяки',
  'harbour walks',
];
export const UNWANTED = [
  'Cinema',
  'кино',
  'films',
  'сериалы',
  'music',
  'джаз',
  'мебели',
  'Furniture',
  'настолки',
  'Kitchenware',
  'старого транспорта',
  'суп, рецепт',
  'зимний маяк',
  'harbour walk',
  'ничего такого',
];
export const WANTED = ['Кино', 'Музыка', 'посуда', 'трамваи', 'велосипеды'];

export const CITIES = ['Казань', 'Пермь'];

/** Filterable properties, with the values in items and filters. */
export const PROPERTIES: ReadonlyMap<string, PropertyType> = new Map([
  ['level', 'number'],
  ['colour', 'string'],
  ['fresh', 'boolean'],
  ['made', 'datetime'],
  ['sizes', 'string_array'],
]);
export const LEVELS = [-1, 0, 1, 2, 2.5, 3];
export const PROPERTY_COLOURS = ['red', 'Red', 'green', 'синий', ''];
/** Includes one moment in two time zones. */
export const MOMENTS = [
  '2026-03-01T00:00:00Z',
  '2026-03-01T03:00:00+03:00',
  '2026-05-09T12:30:00Z',
  '2025-12-31T23:59:59Z',
];
export const SIZES = ['s', 'm', 'l', 'xl'];

const kind = (code: string, mode: EventKind['mode'], told: Partial<EventKind> = {}): EventKind => ({
  code,
  mode,
  hides: false,
  suppressDays: 0,
  isImpression: false,
  ...told,
});

/** The event types of a new project, with the worlds' changes (stage.ts). */
export const EVENTS: ReadonlyMap<string, EventKind> = new Map(
  [
    kind('impression', 'fact', { isImpression: true }),
    kind('open', 'fact'),
    kind('share', 'fact'),
    kind('purchase', 'fact', { suppressDays: 7 }),
    kind('comment', 'fact', { hides: true }),
    kind('cart', 'fact', { suppressDays: 30 }),
    kind('view', 'max', { suppressDays: 1 }),
    kind('watch', 'max', { hides: true }),
    kind('like', 'state'),
    kind('dislike', 'state', { suppressDays: 7 }),
    kind('hide', 'state', { hides: true }),
  ].map((one) => [one.code, one]),
);
