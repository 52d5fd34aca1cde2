/** Each lint rule catches what it forbids; a clean tree passes. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findSql, lintSql } from '../../scripts/lintSql.ts';

const ROOT = join(import.meta.dirname, '..', '..');
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

function run(command: string, args: string[], cwd: string): { status: number | null; output: string } {
  const { NODE_OPTIONS: _forJestOnly, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'node_modules', command), ...args], {
    cwd,
    env,
    encoding: 'utf8',
  });
  return { status, output: stdout + stderr };
}

const PACKAGES = {
  'package.json':
    '{"type":"module","dependencies":{"pg":"1","@temporalio/workflow":"1"},"devDependencies":{"jest":"1"}}',
  'node_modules/pg/package.json': '{"name":"pg","main":"index.js"}',
  'node_modules/pg/index.js': '',
  'node_modules/jest/package.json': '{"name":"jest","main":"index.js"}',
  'node_modules/jest/index.js': '',
  'node_modules/stray/package.json': '{"name":"stray","main":"index.js"}',
  'node_modules/stray/index.js': '',
  'node_modules/@temporalio/workflow/package.json': '{"name":"@temporalio/workflow","main":"index.js"}',
  'node_modules/@temporalio/workflow/index.js': '',
};

const TARGETS = {
  'domain/ids.ts': 'export const id = 1;',
  'db/items.ts': "import { id } from '../domain/ids.ts'; import pg from 'pg'; export const items = [id, pg];",
  'outgoing/post.ts': "import { id } from '../domain/ids.ts'; export const post = id;",
  'providers/one.ts': "import { post } from '../outgoing/post.ts'; export const one = post;",
  'activities/do.ts':
    "import { items } from '../db/items.ts'; import { one } from '../providers/one.ts'; export const act = [items, one];",
  'workflows/item.ts':
    "import type { act } from '../activities/do.ts'; import * as w from '@temporalio/workflow'; export type A = typeof act; export const story = w;",
  'relay/dispatch.ts': "import { items } from '../db/items.ts'; export const dispatch = items;",
  'workers/all.ts':
    "import { act } from '../activities/do.ts'; import { c } from '../config.ts'; export const all = [act, c];",
  'api/server.ts': "import { items } from '../db/items.ts'; export const server = items;",
  'config.ts': 'export const c = 1;',
  'scripts/tool.ts':
    "import { server } from '../api/server.ts'; import jest from 'jest'; export const tool = [server, jest];",
  'test/a.test.ts': "import { tool } from '../scripts/tool.ts'; export const a = tool;",
};

function cruise(extra: Record<string, string>): { status: number | null; output: string } {
  const folder = tree({ ...PACKAGES, ...TARGETS, ...extra });
  return run(
    'dependency-cruiser/bin/dependency-cruise.mjs',
    ['--config', join(ROOT, '.dependency-cruiser.cjs'), '.'],
    folder,
  );
}

/** Rule, folder of the violating file, the file's text. Each becomes a separate file in one tree. */
const FORBIDDEN_IMPORTS: [rule: string, folder: string, source: string][] = [
  ['domain-imports', 'domain', "import '../db/items.ts';"],
  ['domain-is-pure', 'domain', "import 'node:fs';"],
  ['domain-is-pure', 'domain', "import 'pg';"],
  ['db-imports', 'db', "import '../providers/one.ts';"],
  ['outgoing-imports', 'outgoing', "import '../db/items.ts';"],
  ['providers-imports', 'providers', "import '../db/items.ts';"],
  ['blobs-imports', 'blobs', "import '../outgoing/post.ts';"],
  ['process-imports', 'process', "import '../db/items.ts';"],
  ['reports-imports', 'reports', "import '../activities/do.ts';"],
  ['relay-imports', 'relay', "import '../activities/do.ts';"],
  [
    'activities-imports',
    'activities',
    "import type { server } from '../api/server.ts'; export type S = typeof server;",
  ],
  ['activities-imports', 'activities', "export * from '../workflows/item.ts';"],
  ['api-imports', 'api', "import '../activities/do.ts';"],
  ['api-imports', 'api', "export const later = () => import('../workers/all.ts');"],
  ['workers-imports', 'workers', "import '../api/server.ts';"],
  ['workflows-imports', 'workflows', "import '../db/items.ts';"],
  ['workflows-run-in-a-sandbox', 'workflows', "import 'node:crypto';"],
  ['workflows-run-in-a-sandbox', 'workflows', "import 'pg';"],
  ['config-stays-at-the-entries', 'db', "import '../config.ts';"],
  ['unlisted-folder', 'novel', "import '../db/items.ts';"],
  ['product-not-to-aids', 'api', "import '../scripts/tool.ts';"],
  ['scripts-not-to-tests', 'scripts', "import '../test/a.test.ts';"],
  ['bench-not-to-tests', 'bench', "import '../test/a.test.ts';"],
  ['product-not-to-dev-dependencies', 'api', "import 'jest';"],
  ['listed-packages-only', 'api', "import 'stray';"],
  ['no-circular', 'db', "import './back.ts';"],
  ['resolvable', 'db', "import './missing.ts';"],
];

const badFile = (index: number, folder: string): string => `${folder}/bad${index}.ts`;
const CIRCLE_INDEX = FORBIDDEN_IMPORTS.findIndex(([rule]) => rule === 'no-circular');

describe('the import lint', () => {
  it('passes the directions of the architecture', () => {
    expect(cruise({})).toEqual({ status: 0, output: expect.stringContaining('no dependency violations') });
  });

  describe('in a tree that breaks every rule', () => {
    let outcome: ReturnType<typeof cruise>;
    beforeAll(() => {
      const files = FORBIDDEN_IMPORTS.map(([, folder, source], index) => [badFile(index, folder), source] as const);
      outcome = cruise({ ...Object.fromEntries(files), 'db/back.ts': `import './bad${CIRCLE_INDEX}.ts';` });
    });

    it('fails', () => expect(outcome.status).not.toBe(0));

    it.each(FORBIDDEN_IMPORTS.map((row, index) => [...row, index] as const))(
      'names %s, broken in %s by %s',
      (rule, folder, _source, index) => {
        expect(outcome.output).toContain(
          `error ${rule}: ${rule === 'no-circular' ? 'db/ba' : `${badFile(index, folder)} `}`,
        );
      },
    );
  });

  it('has a rule for every folder of the product', () => {
    const config = run(
      'dependency-cruiser/bin/dependency-cruise.mjs',
      ['--config', join(ROOT, '.dependency-cruiser.cjs'), '--output-type', 'json', 'config.ts'],
      ROOT,
    );
    const rules = JSON.parse(config.output).summary.ruleSetUsed.forbidden.map((rule: { name: string }) => rule.name);
    const withSources = readdirSync(ROOT, { recursive: false, withFileTypes: true })
      .filter(
        (entry) =>
          entry.isDirectory() &&
          !entry.name.startsWith('.') &&
          !['node_modules', 'scripts', 'test', 'bench', 'chaos', 'data', 'dist', 'coverage'].includes(entry.name),
      )
      .filter((entry) =>
        readdirSync(join(ROOT, entry.name), { recursive: true }).some((file) => String(file).endsWith('.ts')),
      );
    for (const { name } of withSources) expect(rules).toContain(`${name}-imports`);
  });
});

const BAD_CODE: [rule: string, path: string, source: string][] = [
  ['no-explicit-any', 'api/any.ts', 'export const x: any = 1;'],
  ['no-non-null-assertion', 'api/bang.ts', 'export const x = (y: string | null) => y!.length;'],
  ['no-process-env', 'api/env.ts', 'export const x = process.env;'],
  ['no-console', 'api/console.ts', "console.log('x');"],
  ['no-restricted-imports', 'workflows/value.ts', "import { act } from '../activities/do.ts';\nexport const x = act;"],
  ['no-focused-tests', 'test/only.test.ts', "it.only('x', () => { expect(1).toBe(1); });"],
  ['no-disabled-tests', 'test/skip.test.ts', "it.skip('x', () => { expect(1).toBe(1); });"],
  ['expect-expect', 'test/empty.test.ts', "it('x', () => {});"],
];

function oxlint(files: Record<string, string>): { status: number | null; output: string } {
  const folder = tree(files);
  copyFileSync(join(ROOT, '.oxlintrc.json'), join(folder, '.oxlintrc.json')); // its overrides count from its own folder
  return run('oxlint/bin/oxlint', ['--deny-warnings', '-f', 'unix', '.'], folder);
}

describe('the code lint', () => {
  describe('in a tree that breaks rules', () => {
    let outcome: ReturnType<typeof oxlint>;
    beforeAll(() => {
      outcome = oxlint(Object.fromEntries(BAD_CODE.map(([, path, source]) => [path, `${source}\n`])));
    });

    it('fails', () => expect(outcome.status).not.toBe(0));

    it.each(BAD_CODE)('names %s in %s', (rule, path) => {
      const lines = outcome.output.split('\n').filter((line) => line.includes(path));
      expect(lines.join('\n')).toContain(`(${rule})`);
    });
  });

  it('passes types of activities in a workflow, the environment in config.ts and a console in scripts', () => {
    const good = {
      'workflows/good.ts': "import type { act } from '../activities/do.ts';\n\nexport type Act = typeof act;\n",
      'config.ts': 'export const x = process.env;\n',
      'scripts/good.ts': "console.log(process.env['HOME']);\n",
    };
    expect(oxlint(good)).toEqual({ status: 0, output: expect.anything() });
  });
});

describe('the SQL lint', () => {
  it.each([
    "pool.query('select id from items where id = $1')",
    'pool.query(`\n  insert into items (id) values (${id})`)',
    "const q = 'UPDATE items SET x = 1'",
    "const q = 'with due as (select 1) select * from due'",
    "client.query('truncate items')",
  ])('finds %s', (source) => {
    expect(findSql(source)).toHaveLength(1);
  });

  it.each([
    "const text = 'Select a project'",
    '// select id from items',
    "fail('Delete the item first')",
    "const event = 'update'",
  ])('passes %s', (source) => {
    expect(findSql(source)).toEqual([]);
  });

  it('looks at product folders at every depth, named like an exempt one or not, and not at db/', () => {
    const sql = "export const q = 'delete from items';";
    expect(lintSql(tree({ 'db/a/items.ts': sql, 'test/x.ts': sql }))).toEqual([]);
    expect(lintSql(tree({ 'activities/data/x.ts': sql }))).toEqual([
      'activities/data/x.ts: SQL belongs in db/: delete from items',
    ]);
  });
});
