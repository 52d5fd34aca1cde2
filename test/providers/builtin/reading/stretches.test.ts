import { describe, expect, it } from '@jest/globals';
import { JOB_CHARACTERS, jobsOf } from '../../../../providers/builtin/reading/threadJobs.ts';
import type { ReaderLanguage } from '../../../../providers/builtin/reading/folders.ts';
import { stretchesOf } from '../../../../providers/builtin/reading/stretches.ts';

const BOTH = ['ru', 'en'] as const;
const CHARACTERS = 60_000;
const jobCount = (text: string, main: ReaderLanguage): number =>
  jobsOf(
    stretchesOf(text, main, BOTH).flatMap(({ language, ...part }) =>
      language === null ? [] : [{ ...part, index: 0, language, isMain: language === main }],
    ),
  ).length;

describe('stretches', () => {
  it('are the parts of a text in one language each, even short ones if there are few', () => {
    const english = 'The library will be closed on Monday.\n\n';
    const russian = 'Библиотека закрыта в понедельник.';
    expect(stretchesOf(`${english}${russian}`, 'en', BOTH)).toEqual([
      { start: 0, text: english, language: 'en' },
      { start: english.length, text: russian, language: 'ru' },
    ]);
  });

  it('are one if the text is in one language, or has one reader', () => {
    const mixed = 'The library is closed. Библиотека закрыта.';
    expect(stretchesOf('Библиотека закрыта. Она откроется.', 'ru', BOTH)).toHaveLength(1);
    expect(stretchesOf(mixed, 'ru', ['ru'])).toEqual([{ start: 0, text: mixed, language: 'ru' }]);
  });

  it.each([
    ['words', 'Да. Yes. '],
    ['sentences', 'Да. Yes it is the one. '],
    ['lines of a phrase book', 'Где находится вокзал?\nWhere is the railway station?\n'],
    ['paragraphs', `${'Трамвай шёл по улице. '.repeat(10)}${'The tram went along the street. '.repeat(10)}`],
  ])('become few jobs, without a gap, if %s alternate', (_, unit) => {
    const text = unit.repeat(CHARACTERS / unit.length);
    const found = stretchesOf(text, 'ru', BOTH);
    expect(found.map((each) => each.text).join('')).toBe(text);
    for (const { start, text: own } of found) expect(text.startsWith(own, start)).toBe(true);
    expect(found.length).toBeLessThan(400);
    expect(jobCount(text, 'ru')).toBeLessThanOrEqual((2 * CHARACTERS) / JOB_CHARACTERS);
  });

  it('stay apart if they are long, even among many short ones', () => {
    const russian = 'Трамвай шёл по улице, и никто не спешил. '.repeat(20);
    const english = 'The tram went along the street, and nobody was in a hurry. '.repeat(20);
    const found = stretchesOf(`${russian}${english}${'Да. Yes. '.repeat(30)}`, 'ru', BOTH);
    expect(found[0]).toMatchObject({ start: 0, text: russian, language: 'ru' });
    expect(found[1]).toMatchObject({ start: russian.length, language: 'en' });
  });
});
