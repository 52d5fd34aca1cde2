import { expect, it } from '@jest/globals';
import { neededJoins, type Join } from '../../../../reports/compile/rows/joins.ts';
import { DUCKDB } from '../../../../reports/sql/duckdb.ts';
import { column, render, sql, type Sql } from '../../../../reports/sql/index.ts';

const join = (alias: string, isNeeded: boolean, on: Sql = sql`true`): Join => ({
  alias,
  clause: sql`join ${alias} on ${on}`,
  isNeeded,
});
const CHAIN = [join('a', false), join('b', false, column('a', 'id')), join('c', false, column('b', 'id'))];

it.each([
  ['nothing if nothing is named', CHAIN, [], []],
  ['a relation that is named', CHAIN, [column('a', 'x')], ['a']],
  ['a relation that a joined one names', CHAIN, [column('c', 'x')], ['a', 'b', 'c']],
  ['a relation that leaves out or repeats rows', [...CHAIN, join('d', true)], [], ['d']],
  [
    'a relation that is named by one that leaves out or repeats rows',
    [...CHAIN, join('d', true, column('b', 'x'))],
    [],
    ['a', 'b', 'd'],
  ],
] as const)('the planner joins %s', (_title, joins, named, expected) => {
  expect(neededJoins(joins, named).map((text) => render(text, DUCKDB).params[0])).toEqual(expected);
});
