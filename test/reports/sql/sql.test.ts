import { describe, expect, it } from '@jest/globals';
import { DUCKDB } from '../../../reports/sql/duckdb.ts';
import {
  call,
  column,
  fill,
  isSame,
  join,
  literal,
  references,
  NOTHING,
  open,
  raw,
  relation,
  render,
  sql,
  termsOf,
  where,
  type Sql,
} from '../../../reports/sql/index.ts';

const textOf = (piece: Sql): string => render(piece, DUCKDB).text;
const country = column('v', 'country', 'visits');

describe('the tag', () => {
  it('binds values and splices SQL in', () => {
    expect(render(sql`select ${country} = ${"' or true"} and ${7} < 8`, DUCKDB)).toEqual({
      text: 'select v.country = $1 and $2 < 8',
      params: ["' or true", 7],
      refs: [{ kind: 'column', of: 'v', name: 'country', table: 'visits' }],
    });
  });

  it('binds equal values once, but a number and its text separately', () => {
    const { text, params } = render(sql`${1} ${'1'} ${1} ${'1'}`, DUCKDB);
    expect([text, params]).toEqual(['$1 $2 $1 $2', [1, '1']]);
  });

  it('quotes what stands in the text itself', () => {
    expect(textOf(sql`${literal("it's")} ${raw('as x')} ${column('c', 'at')}`)).toBe(`'it''s' as x c."at"`);
  });

  it('makes SQL that is the same however it was assembled', () => {
    expect(isSame(sql`a ${sql`b ${country}`} c`, sql`a b ${country} c`)).toBe(true);
    expect(isSame(join([raw('a'), raw('b')]), raw('a, b'))).toBe(true);
    expect(isSame(sql`${1}`, sql`${'1'}`)).toBe(false);
  });

  it('makes no where clause without conditions', () => {
    expect([where([]), where([raw('a')]), where([raw('a'), raw('b')])].map(textOf)).toEqual([
      '',
      ' where a',
      ' where a and b',
    ]);
    expect(textOf(NOTHING)).toBe('');
  });
});

describe('terms', () => {
  const expression = sql`a ${open('x')} ${call('text', sql`${open('y')}::INTEGER`)}`;

  it('are found in order, including those of arguments, and filled in', () => {
    expect(termsOf(expression)).toEqual(['x', 'y']);
    expect(textOf(fill(expression, (term) => column(term, 'c')))).toBe('a x.c y.c::INTEGER::VARCHAR');
  });

  it('cannot be rendered unfilled', () => {
    expect(() => render(expression as unknown as Sql, DUCKDB)).toThrow('has not been filled in');
  });
});

describe('relations', () => {
  const base = relation('base', sql`select ${country} from x where y = ${'a'}`, { isMaterialised: false });
  const counted = relation('counted', sql`select count(*) from ${base}`);

  it('come before the statement that names them, each once and after those that it names', () => {
    const { text, params, refs } = render(sql`from ${counted} join ${base} on z = ${'b'}`, DUCKDB);
    expect(text).toBe(
      `with base as not materialized (select v.country from x where y = $1),
counted as (select count(*) from base)
from counted join base on z = $2`,
    );
    expect([params, refs.map(({ name }) => name)]).toEqual([['a', 'b'], ['country']]);
  });

  it('have one name each: another relation of that name is refused', () => {
    const again = relation('base', sql`select ${country} from x where y = ${'a'}`, { isMaterialised: false });
    expect(render(sql`from ${base} join ${again} on true`, DUCKDB).params).toEqual(['a']);
    for (const other of [
      relation('base', sql`select 1`, { isMaterialised: false }),
      relation('base', sql`select ${country} from x where y = ${'a'}`),
    ])
      expect(() => render(sql`from ${counted} join ${other} on true`, DUCKDB)).toThrow('two relations are called base');
  });

  it('hide their contents from a search for a column', () => {
    expect([references(base, 'v'), references(country, 'v'), references(call('text', country), 'v')]).toEqual([
      false,
      true,
      true,
    ]);
  });
});
