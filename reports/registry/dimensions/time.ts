/**
 * The time of a row in the site's time zone. Keys are times or numbers, so that only the rows shown are turned into
 * text, in the formats of reports/sql/duckdb.ts: ISO weeks such as 2026-W47, for example.
 */
import { call } from '../../sql/index.ts';
import { ROW_TIME } from '../entry/terms.ts';
import type { Dimension } from '../entry/types.ts';
import { dimension } from './defineDimension.ts';

const time = (given: Omit<Parameters<typeof dimension>[0], 'group' | 'level' | 'isTime'>): Dimension =>
  dimension({ group: 'time', level: 'visit', isTime: true, ...given });

export const TIME: readonly Dimension[] = [
  time({
    id: 'date',
    type: 'time',
    label: { en: 'Date', ru: 'Дата' },
    key: call('day', ROW_TIME),
    text: (key) => call('dayText', key),
  }),
  time({
    id: 'week',
    type: 'time',
    label: { en: 'Week', ru: 'Неделя' },
    key: call('week', ROW_TIME),
    text: (key) => call('weekText', key),
  }),
  time({
    id: 'month',
    type: 'time',
    label: { en: 'Month', ru: 'Месяц' },
    key: call('month', ROW_TIME),
    text: (key) => call('monthText', key),
  }),
  time({
    id: 'quarter',
    type: 'time',
    label: { en: 'Quarter', ru: 'Квартал' },
    key: call('quarter', ROW_TIME),
    text: (key) => call('quarterText', key),
  }),
  time({ id: 'year', type: 'number', label: { en: 'Year', ru: 'Год' }, key: call('yearNumber', ROW_TIME) }),
  time({
    id: 'hour',
    type: 'number',
    label: { en: 'Hour of day', ru: 'Час' },
    key: call('hourNumber', ROW_TIME),
    text: (key) => call('twoDigits', key),
  }),
  time({
    id: 'day_of_week',
    type: 'number',
    label: { en: 'Day of week', ru: 'День недели' },
    key: call('weekdayNumber', ROW_TIME),
  }),
  time({
    id: 'date_hour',
    type: 'time',
    label: { en: 'Date and hour', ru: 'Дата и час' },
    key: call('hour', ROW_TIME),
    text: (key) => call('hourText', key),
  }),
];
