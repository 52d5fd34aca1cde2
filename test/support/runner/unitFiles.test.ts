import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { findUnitFiles, withoutLong } from './unitFiles.ts';

describe('findUnitFiles', () => {
  let files: string[];

  beforeAll(async () => {
    files = await findUnitFiles();
  });

  it('includes pure rules, and those built on product code that could start a process', () => {
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
  it('leaves out files of a second and more, and keeps those without a record', () => {
    const seconds = { 'a.test.ts': 1, 'b.test.ts': 0.9, 'c.test.ts': 60 };
    const files = ['a', 'b', 'c', 'new'].map((name) => `test/${name}.test.ts`);
    expect(withoutLong(files, seconds)).toEqual(['test/b.test.ts', 'test/new.test.ts']);
  });
});
