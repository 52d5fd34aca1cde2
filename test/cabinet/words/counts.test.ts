/** Texts with a number agree with it. */
import { expect, it } from '@jest/globals';
import { reports as english } from '../../../cabinet/src/words/en/analytics/reports.ts';
import { reports as russian } from '../../../cabinet/src/words/ru/analytics/reports.ts';

it.each([
  [1, 'Today', 'Сегодня'],
  [7, 'Last 7 days', 'Последние 7 дней'],
  [21, 'Last 21 days', 'Последний 21 день'],
  [32, 'Last 32 days', 'Последние 32 дня'],
  [111, 'Last 111 days', 'Последние 111 дней'],
])('the words for the days of a saved report agree with %d', (days, inEnglish, inRussian) => {
  expect([english.lastDays(days), russian.lastDays(days)]).toEqual([inEnglish, inRussian]);
});
