import { expect, it } from '@jest/globals';
import { neededJoins, type Join } from '../../../../reports/compile/rows/joins.ts';
import { DUCKDB } from '../../../../reports/sql/duckdb.ts';
import { column, render, sql, type Sql } from '../../../../reports/sql/index.ts';

const join = (alias: string, isNeeded: boolean, on: Sql = sql`true`): Join => ({
  alias,
  text: sql`join ${alias} on ${on}`,
  isNeeded,
});
const CHAIN = [join('a', false), join('b', false, column('a', 'id')), join('c', false, column('b', 'id'))];

it.each([
  ['nothing where nothing is named', CHAIN, [], []],
  ['what is named', CHAIN, [column('a', 'x')], ['a']],
  ['what is named by what is joined', CHAIN, [column('c', 'x')], ['a', 'b', 'c']],
  ['what leaves out or repeats rows', [...CHAIN, join('d', true)], [], ['d']],
  ['what such a one names', [...CHAIN, join('d', true, column('b', 'x'))], [], ['a', 'b', 'd']],
] as const)('the planner joins %s', (_title, joins, named, expected) => {
  expect(neededJoins(joins, named).map((text) => render(text, DUCKDB).params[0])).toEqual(expected);
});
