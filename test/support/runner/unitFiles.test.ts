import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { findUnitFiles, withoutLong } from './unitFiles.ts';

describe('findUnitFiles', () => {
  let files: string[];

  beforeAll(async () => {
    files = await findUnitFiles();
  });

  it('includes tests of pure rules, and those of product code that could start a process', () => {
    expect(files).toEqual(
      expect.arrayContaining(['test/domain/jobs/ids.test.ts', 'test/activities/media/pictures/frameSelection.test.ts']),
    );
  });

  it.each([
    ['a database', 'test/support/database.test.ts'],
    ['a database behind two helpers', 'test/whole/reports.test.ts'],
    ['an external program', 'test/tools/scripts/engines/servers/temporal.test.ts'],
    ['a browser', 'test/clients/tag/sending.test.ts'],
    ['a server of its own', 'test/platform/outgoing/post.test.ts'],
    ['a process of its own', 'test/platform/process/lifecycle.test.ts'],
    ['a process that the product starts', 'test/tools/scripts/dev/services/service.test.ts'],
    ['the bundle of the workflows', 'test/tools/scripts/temporal/workflowBundle.test.ts'],
    ['the bundle of the cabinet', 'test/cabinet/budgets.test.ts'],
  ])('excludes a file that needs %s', (_, file) => {
    expect(existsSync(join(import.meta.dirname, '..', '..', '..', file))).toBe(true);
    expect(files).not.toContain(file);
  });
});

describe('withoutLong', () => {
  it.each([1, 50])(
    'leaves out the longest twelfth of the files, even if every file took %i times as long',
    (factor) => {
      const files = Array.from({ length: 24 }, (_, place) => `test/${place}.test.ts`);
      const seconds = Object.fromEntries(files.map((_, place) => [`${place}.test.ts`, (place % 20) * 0.05 * factor]));
      expect(files.filter((file) => !withoutLong(files, seconds).includes(file))).toEqual([
        'test/18.test.ts',
        'test/19.test.ts',
      ]);
    },
  );

  it('keeps files without a record', () => {
    const files = Array.from({ length: 24 }, (_, place) => `test/${place}.test.ts`);
    expect(withoutLong(files, { '3.test.ts': 1 })).toEqual(files.filter((file) => file !== 'test/3.test.ts'));
  });
});
