/** When a row is, by the site's wall clock: keys are times or numbers, so that only what is shown is made text. */
import type { Dimension } from '../types.ts';
import { dimension } from './define.ts';

const time = (given: Omit<Parameters<typeof dimension>[0], 'group' | 'level' | 'isTime'>): Dimension =>
  dimension({ group: 'time', level: 'visit', isTime: true, ...given });

const strftime =
  (format: string) =>
  (key: string): string =>
    `strftime(${key}, '${format}')`;

export const TIME: readonly Dimension[] = [
  time({
    id: 'date',
    type: 'time',
    label: { en: 'Date', ru: 'Дата' },
    key: ({ localTime }) => `(${localTime})::DATE`,
    text: strftime('%Y-%m-%d'),
  }),
  // ISO weeks: %G is the year that the week belongs to.
  time({
    id: 'week',
    type: 'time',
    label: { en: 'Week', ru: 'Неделя' },
    key: ({ localTime }) => `date_trunc('week', ${localTime})`,
    text: strftime('%G-W%V'),
  }),
  time({
    id: 'month',
    type: 'time',
    label: { en: 'Month', ru: 'Месяц' },
    key: ({ localTime }) => `date_trunc('month', ${localTime})`,
    text: strftime('%Y-%m'),
  }),
  time({
    id: 'quarter',
    type: 'time',
    label: { en: 'Quarter', ru: 'Квартал' },
    key: ({ localTime }) => `date_trunc('quarter', ${localTime})`,
    text: (key) => `strftime(${key}, '%Y') || '-Q' || quarter(${key})`,
  }),
  time({ id: 'year', type: 'number', label: { en: 'Year', ru: 'Год' }, key: ({ localTime }) => `year(${localTime})` }),
  time({
    id: 'hour',
    type: 'number',
    label: { en: 'Hour of day', ru: 'Час' },
    key: ({ localTime }) => `hour(${localTime})`,
    text: (key) => `lpad(${key}::VARCHAR, 2, '0')`,
  }),
  time({
    id: 'day_of_week',
    type: 'number',
    label: { en: 'Day of week', ru: 'День недели' },
    key: ({ localTime }) => `isodow(${localTime})`,
  }),
  time({
    id: 'date_hour',
    type: 'time',
    label: { en: 'Date and hour', ru: 'Дата и час' },
    key: ({ localTime }) => `date_trunc('hour', ${localTime})`,
    text: strftime('%Y-%m-%dT%H:00:00'),
  }),
];
