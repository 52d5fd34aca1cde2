/** Texts of the descriptions of reports, in the languages of the two APIs that have them. */
import type { Language } from '../../domain/language.ts';

interface Words {
  dimensions: string;
  metrics: string;
  day: string;
  filter: string;
  segmentId: string;
  conditions: string;
  condition: string;
  scope: string;
  attribution: string;
  robots: string;
  sort: string;
  dimensionLabels: string;
  metricValues: string;
  totals: string;
  sampled: string;
  timezone: string;
  notes: string;
  rows: string;
  goalParam: string;
  param: Record<'key' | 'goal' | 'attribute', string>;
}

const ENGLISH: Words = {
  dimensions: 'The dimensions by which rows are grouped; without any there is one row for everything',
  metrics: 'The numbers of a row',
  day: "A day in the site's time zone, included in the period; not in the future. A period has at most 25 months",
  filter:
    'eq, neq, contains (ignores case) and regex (RE2) take one value; in takes up to 100. Values are codes, not labels',
  segmentId: 'A saved segment of the site, in place of the field segment',
  conditions:
    'A condition on a dimension or on a metric of a visit, or conditions combined by all, any and not; a list means all. At most 50 conditions, groups at most four deep',
  condition: 'A condition within others, or a group of conditions',
  scope: 'visitor: all visits in the period of every visitor who has at least one visit that meets the conditions',
  attribution: 'Which source of a visit the source dimensions show',
  robots: 'Whether visits by robots count, do not count, or are the only ones that count',
  sort: 'field is a dimension or metric of the request. The default is the first time dimension ascending, or without one the first metric descending. Equal rows are sorted by their dimensions, ascending',
  dimensionLabels: 'In the order of the request; {id, name} for places, interests, categories and goals; null: unknown',
  metricValues: 'In the order of the request',
  totals: 'Each metric over all rows',
  sampled: 'Whether it was computed on 10 percent of the visitors; counts and sums are then scaled',
  timezone: 'Time zone of the site',
  notes:
    'Remarks on the numbers. missing_rate: amounts in a currency without a rate are left out of money. no_city_database: regions and cities of visits are unknown because the installation has no city database',
  rows: 'How many rows there are without limit and offset',
  goalParam: 'for one goal, named by its code',
  param: { key: 'by the key of the parameter', goal: 'by the code of the goal', attribute: 'by the attribute' },
};

const RUSSIAN: Words = {
  dimensions: 'Группировки; без них — одна строка обо всём',
  metrics: 'Показатели строки',
  day: 'День в часовом поясе сайта включительно; не в будущем, весь период — не больше 25 месяцев',
  filter:
    'У eq, neq, contains (без учёта регистра) и regex (RE2) одно значение, у in — до 100. Значения — коды, а не подписи',
  segmentId: 'Сохранённый сегмент сайта вместо segment',
  conditions:
    'Условие на группировку, на показатель визита либо all, any и not из условий; список — все. Не больше 50 условий, вложенность групп — до четырёх',
  condition: 'Условие внутри других или их группа',
  scope: 'visitor — все визиты периода тех, у кого условиям отвечает хотя бы один визит',
  attribution: 'Какой из источников визита показывают группировки источника',
  robots: 'Учитывать ли визиты роботов или только их',
  sort: 'field — группировка или показатель запроса. По умолчанию первый показатель по убыванию, а при группировке по времени — она по возрастанию. Равные — по группировкам',
  dimensionLabels: 'В порядке запроса; {id, name} у мест, интересов, категорий и целей; null — неизвестно',
  metricValues: 'В порядке запроса',
  totals: 'Каждый показатель по всем строкам',
  sampled: 'Посчитано по 10 процентам посетителей, количества и суммы умножены',
  timezone: 'Часовой пояс сайта',
  notes:
    'Что надо знать о числах. missing_rate: суммы в валюте без курса не вошли в деньги. no_city_database: регионы и города визитов неизвестны, потому что в установке нет базы городов',
  rows: 'Сколько всего строк без limit и offset',
  goalParam: 'только этой цели, по её коду',
  param: { key: 'по ключу параметра', goal: 'по коду цели', attribute: 'по признаку' },
};

export const WORDS: Readonly<Record<Language, Words>> = { en: ENGLISH, ru: RUSSIAN };
