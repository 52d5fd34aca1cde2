/** The lint of SQL, which is our own. The other linters test themselves. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { findSql, lintSql } from '../../../tools/scripts/lintSql.ts';

const folders: string[] = [];

afterAll(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function tree(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'attune-lint-'));
  folders.push(folder);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

it.each([
  "pool.query('select id from items where id = $1')",
  'pool.query(`\n  insert into items (id) values (${id})`)',
  "const q = 'UPDATE items SET x = 1'",
  "const q = 'with due as (select 1) select * from due'",
  "client.query('truncate items')",
])('the lint of SQL finds %s', (source) => {
  expect(findSql(source)).toHaveLength(1);
});

it.each([
  "const text = 'Select a project'",
  '// select id from items',
  "fail('Delete the item first')",
  "const event = 'update'",
])('the lint of SQL passes %s', (source) => {
  expect(findSql(source)).toEqual([]);
});

it('the lint of SQL looks at product folders at every depth, even if named like an exempt one, but not at db/ or test/', () => {
  const sql = "export const q = 'delete from items';";
  expect(lintSql(tree({ 'db/a/items.ts': sql, 'test/x.ts': sql }))).toEqual([]);
  expect(lintSql(tree({ 'activities/data/x.ts': sql }))).toEqual([
    'activities/data/x.ts: SQL belongs in db/: delete from items',
  ]);
});
