/** The previous release can run on the tables after this release's additions, so that an upgrade can be undone. */
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { readText } from '../ops/support/compose.ts';
import { isAncestor, previousFiles, previousText } from '../support/previousRelease.ts';

/** By path from the root: changes that look like more than an addition, with the reason why each is one. */
const WAIVED: Record<string, string> = {};

/** A bare `drop constraint` loosens; a replacement must be declared as no tighter. */
const BREAKING: [words: RegExp, why: string][] = [
  [/\bdrop (table|view|materialized view|function|trigger|type|schema|column|index|extension)\b/i, 'drops'],
  [/\brename\b/i, 'renames'],
  [/\balter (column )?\w+ (set data )?type\b/i, 'changes a type'],
  [/\bset not null\b/i, 'forbids null'],
  [/\bdrop default\b/i, 'takes a default away'],
  [/\badd (constraint\b|check\b|unique\b|primary key\b|foreign key\b|exclude\b)/i, 'adds a constraint'],
  [/\bcreate unique index\b/i, 'forbids doubles'],
  [/\brevoke\b/i, 'takes rights away'],
  [/\btruncate\b/i, 'empties'],
  [/^create index (?!concurrently)/i, 'stops writes while it builds an index'],
];
/** Tables with a handful of rows for each project, whose indexes are built in no time. */
const SMALL_TABLES: ReadonlySet<string> = new Set(['webhooks']);
const ADDED_COLUMN = /\badd column (?:if not exists )?(\w+)([^]*?)(?=,\s*(?:add|alter|drop) |$)/gi;

/** Returns the statements without comments; a function's body is part of its statement. */
function statementsOf(sql: string): string[] {
  const bodies: string[] = [];
  const bare = sql
    .replaceAll(/--.*$/gm, '')
    .replaceAll(/\$(\w*)\$[^]*?\$\1\$/g, (body) => `$body${bodies.push(body)}$`)
    .replaceAll(/'(?:[^']|'')*'/g, "''");
  return bare.split(';').map((statement) => statement.replaceAll(/\s+/g, ' ').trim());
}

function tableOf(statement: string): string | undefined {
  const [, table] =
    /^(?:alter table|create(?: unlogged)? table|truncate)(?: only| if exists| if not exists)* (\w+)/i.exec(statement) ??
    /^create (?:unique )?index .*?\bon (?:only )?(\w+)/i.exec(statement) ??
    [];
  return table;
}

/** Returns the changes to existing tables that are more than additions. */
function faultsOf(sql: string, own: ReadonlySet<string> = new Set()): string[] {
  if (sql.startsWith('-- not additive:')) return [];
  const made = new Set([...own, ...madeBy(sql)]);
  const isHarmless = (statement: string): boolean =>
    made.has(tableOf(statement) ?? '') ||
    (/^create index/i.test(statement) && SMALL_TABLES.has(tableOf(statement) ?? '')) ||
    /^(create table|create (or replace )?function|insert|update|select)\b/i.test(statement);
  return statementsOf(sql).flatMap((statement) =>
    isHarmless(statement)
      ? []
      : [
          ...BREAKING.filter(([words]) => words.test(statement)).map(([, why]) => `${why}: ${statement}`),
          ...[...statement.matchAll(ADDED_COLUMN)]
            .filter(([, , rest = '']) => /\bnot null\b/i.test(rest) && !/\b(default|generated)\b/i.test(rest))
            .map(([, column]) => `adds ${column} not null without a default: ${statement}`),
        ],
  );
}

function madeBy(sql: string): string[] {
  return statementsOf(sql)
    .filter((statement) => /^create (unlogged )?table/i.test(statement))
    .flatMap((statement) => tableOf(statement) ?? []);
}

describe('the migrations of this release', () => {
  const names = readdirSync('migrations').filter((name) => name.endsWith('.sql'));
  let old: string[];

  beforeAll(async () => {
    old = await previousFiles('migrations');
  });

  it('follow the previous release, which is in the history, and leave its own unchanged', async () => {
    expect(await isAncestor()).toBe(true);
    expect(old.length).toBeGreaterThan(30);
    const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
    const changed = await Promise.all(
      old.map(async (path) => (hash(await previousText(path)) === hash(readText(path)) ? [] : [path])),
    );
    expect(changed.flat()).toEqual([]);
  });

  it('only add things', () => {
    const fresh = names.map((name) => `migrations/${name}`).filter((path) => !old.includes(path));
    const own = new Set(fresh.flatMap((path) => madeBy(readText(path))));
    const faults = fresh
      .filter((path) => !(path in WAIVED))
      .flatMap((path) => faultsOf(readText(path), own).map((fault) => `${path} ${fault}`));
    expect(faults).toEqual([]);
    expect(Object.keys(WAIVED).filter((path) => !fresh.includes(path))).toEqual([]);
  });
});

describe('the rule', () => {
  it.each([
    'alter table items drop column title',
    'alter table items rename title to name',
    'alter table items alter column id type bigint',
    'alter table items add column n int, alter title set not null',
    'alter table items add column n int not null, add column m int default 1',
    "alter table items add constraint short check (title <> '')",
    'create unique index concurrently if not exists u on items (title)',
    'create index by_title on items (title)',
    'drop index items_by_title',
    'drop table items',
    '-- a word;\nalter table items\n  drop column title',
  ])('finds %s', (sql) => {
    expect(faultsOf(sql)).toHaveLength(1);
  });

  it.each([
    'alter table items add column n int',
    "alter table items add column n int not null default 1, add column m text not null default ''",
    'create table new (id int primary key); alter table new add check (id > 0); create unique index on new (id)',
    "insert into settings values ('drop table items')",
    '-- drop table items',
    'create function f() returns void language sql as $$ delete from items; drop table x $$',
    '-- not additive: nobody reads it\nalter table items drop column title',
    'create index concurrently if not exists i on items (title)',
    'create index by_url on webhooks (url)',
  ])('passes %s', (sql) => {
    expect(faultsOf(sql)).toEqual([]);
  });
});
