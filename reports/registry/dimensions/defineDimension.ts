/** The building blocks of dimensions. By default a dimension is a text, takes no parameter, and its key is its code. */
import { call, join, literal, raw, sql, type Sql } from '../../sql/index.ts';
import type { Expression } from '../entry/terms.ts';
import type { Dimension } from '../entry/types.ts';

type Given = Pick<Dimension, 'id' | 'group' | 'level' | 'label'> &
  Partial<Omit<Dimension, 'key'>> & {
    /** A key that depends on the parameter is a function of it. */
    key: Expression | Dimension['key'];
  };

const BASE = {
  type: 'text',
  takes: null,
  isTime: false,
  address: null,
  names: null,
  codeNames: null,
  hitType: null,
  keyAtEnd: {},
} as const;

export function dimension({ key, ...given }: Given): Dimension {
  return {
    ...BASE,
    text: (value) => call('text', value),
    ...given,
    key: typeof key === 'function' ? key : () => key,
  };
}

/** Returns the codes `yes` and `no`; in descending order `yes` is first. */
export const yesOrNo = (key: Sql): Sql => sql`case ${key} when true then 'yes' when false then 'no' end`;

/** Returns the text of a param in a JSON text, without quotes; null for JSON's null and for a missing param. */
export const jsonParam =
  (json: Sql) =>
  (param: string): Sql =>
    call('jsonText', json, sql`${`/${param.replaceAll('~', '~0').replaceAll('/', '~1')}`}`);

/** Returns the path up to its slash number `level` + 1; the whole path if it has fewer. */
export const pathLevel = (path: Sql, level: number): Sql =>
  sql`coalesce(nullif(${call('firstMatch', path, literal(`^(?:[^/]*/){${level + 1}}`))}, ''), ${path})`;

/**
 * Returns the key of a bucket, which is its least value, so that buckets are sorted by size.
 * @param starts ascending; a value below the first belongs to the first bucket
 */
export function bucketKey(value: Sql, starts: readonly number[]): Sql {
  const [first = raw('0'), ...others] = starts.map(numeral);
  const cases = others.toReversed().map((start) => sql`when ${value} >= ${start} then ${start}`);
  return sql`case when ${value} is null then null ${join(cases, ' ')} else ${first} end`;
}

const numeral = (number: number): Sql => raw(String(number));

/** Returns the codes of buckets: `3-5`, `6`, and `21+` for the last one. */
export function bucketText(key: Sql, starts: readonly number[]): Sql {
  const cases = starts.map((start, index) => {
    const next = starts[index + 1];
    const text = next === undefined ? `${start}+` : next - 1 === start ? String(start) : `${start}-${next - 1}`;
    return sql`when ${numeral(start)} then ${literal(text)}`;
  });
  return sql`case ${key} ${join(cases, ' ')} end`;
}
