/** Defaults of an entry: text, no parameter, its key is its code. */
import type { Dimension, Terms } from '../types.ts';

type Given = Pick<Dimension, 'id' | 'group' | 'level' | 'label'> &
  Partial<Omit<Dimension, 'key'>> & { key: string | Dimension['key'] };

const BASE = {
  type: 'text',
  takes: null,
  isTime: false,
  address: null,
  names: null,
  hitType: null,
  ofEnd: {},
} as const;

/** @param given its `key` may be plain SQL */
export function dimension({ key, ...given }: Given): Dimension {
  return {
    ...BASE,
    text: (sql) => `${sql}::VARCHAR`,
    ...given,
    key: typeof key === 'string' ? () => key : key,
  };
}

/** yes and no, in this order when sorted downwards. */
export const yesOrNo = (key: string): string => `case ${key} when true then 'yes' when false then 'no' end`;

/** A param of a JSON text: its text, without quotes; JSON's null and a missing one are null. */
export const jsonParam =
  (json: string) =>
  ({ param, bind }: Terms): string =>
    `json_extract_string(${json}, ${bind(`/${param.replaceAll('~', '~0').replaceAll('/', '~1')}`)})`;

/** The path to and with its slash number `level` + 1; the whole where it ends before. */
export const pathLevel = (path: string, level: number): string =>
  `coalesce(nullif(regexp_extract(${path}, '^(?:[^/]*/){${level + 1}}'), ''), ${path})`;

/**
 * The least of a bucket as its key, so that buckets are sorted by size.
 * @param starts ascending; a value below the first is in the first
 */
export function bucketKey(value: string, starts: readonly number[]): string {
  const [first = 0, ...others] = starts;
  const cases = others.toReversed().map((start) => `when ${value} >= ${start} then ${start}`);
  return `case when ${value} is null then null ${cases.join(' ')} else ${first} end`;
}

/** `3-5`, `6`, and the last one `21+`. */
export function bucketText(key: string, starts: readonly number[]): string {
  const cases = starts.map((start, index) => {
    const next = starts[index + 1];
    const text = next === undefined ? `${start}+` : next - 1 === start ? String(start) : `${start}-${next - 1}`;
    return `when ${start} then '${text}'`;
  });
  return `case ${key} ${cases.join(' ')} end`;
}
