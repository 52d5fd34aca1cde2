import { describe, expect, it } from '@jest/globals';
import { isConflict, toLakeError } from '../../../reports/lake/lakeFaults.ts';
import { cpuMsOf } from '../../support/cpuTime.ts';

const OWN_STATEMENT = '\n\nLINE 1: select * from lake.visits where user_id = 7\n                      ^';
const messageOf = (text: string): string => toLakeError(new Error(text)).message;

describe('toLakeError', () => {
  it.each([
    [
      `Conversion Error: Could not convert string 'anna' to UUID`,
      'Conversion Error: Could not convert string … to UUID',
    ],
    [
      `Conversion Error: Could not convert string 'anna' to UUID${OWN_STATEMENT}`,
      'Conversion Error: Could not convert string … to UUID',
    ],
    [
      `Conversion Error: Type INT32 with value 1000 can't be cast to INT8${OWN_STATEMENT}`,
      `Conversion Error: Type INT32 with value … can't be cast to INT8`,
    ],
    [
      `Failed to commit: Failed to execute query "insert into t values ('anna"')":\n  ERROR: duplicate key value`,
      'Failed to commit: The catalogue says: duplicate key value',
    ],
    ...['ОШИБКА', 'FEHLER', '错误', 'შეცდომა'].map((error) => [
      `Failed to commit: Failed to execute query "insert into t values ('anna"')": ${error}:  23505`,
      'Failed to commit: The catalogue says:  23505',
    ]),
    [`Catalog Error: there is no table 'hits'!${OWN_STATEMENT}`, `Catalog Error: there is no table 'hits'!`],
  ])('keeps the wording of %j without the data and the statement in it', (text, words) => {
    expect(messageOf(text)).toBe(words);
  });

  // A value may contain what usually follows it: its closing quote, and the beginning of the failed statement.
  it.each([
    ['anna'],
    ['anna\nLINE 1: anna'],
    [`anna'anna\nLINE 1: anna`],
    ['anna"anna\nLINE 1: anna'],
    [`anna\nLINE 1: anna'anna"anna`],
    [`'"\n\nLINE 1: anna\n'"anna`],
  ])('makes a message that contains no part of the value %j', (value) => {
    for (const quote of [`'`, '"'])
      for (const end of ['', OWN_STATEMENT, `\n\nLINE 1: select 'anna', "anna"`])
        expect(messageOf(`Conversion Error: no UUID: ${quote}${value}${quote}.${end}`)).not.toContain('anna');
  });

  it.each([['\n '], ['\nLINE 1:'], ['Failed to execute query "'], ['": '], [`'"`]])(
    'needs linear time for a value that repeats %j',
    async (part) => {
      const text = `Conversion Error: the value '${part.repeat(100_000)}' is no UUID`;
      expect(await cpuMsOf(() => messageOf(text))).toBeLessThan(1_000);
    },
  );
});

describe('isConflict', () => {
  const catalogueError = (text: string): Error =>
    toLakeError(new Error(`Failed to commit: Failed to execute query "insert into t values (1)": ${text}`));

  it.each([
    'ERROR:  duplicate key value violates unique constraint "ducklake_snapshot_pkey"',
    'FEHLER:  doppelter Schlüsselwert verletzt Unique-Constraint »ducklake_snapshot_pkey«',
    'ОШИБКА:  повторяющееся значение ключа нарушает ограничение уникальности "ducklake_snapshot_pkey"',
    'ERROR:  could not serialize access due to concurrent update',
  ])('recognises %j', (text) => {
    expect(isConflict(catalogueError(text))).toBe(true);
  });

  it.each([
    'ERROR:  permission denied for table ducklake_snapshot',
    'ОШИБКА:  нет доступа к таблице ducklake_snapshot',
  ])('does not take %j for a conflict', (text) => {
    expect(isConflict(catalogueError(text))).toBe(false);
  });
});
