/** Comparisons of filters and of the conditions of segments. */
import { matchesAddress } from './address.ts';
import type { Dimension } from '../registry/index.ts';
import type { Comparison, Filter } from '../request.ts';

export type Bind = (value: string | number) => string;

/**
 * Whether a row's value is as the filter wants it, as SQL. Unknown (null) equals nothing, so `neq` alone is true of it;
 * of the others null is as good as false, but under a `not`: wrap it there.
 * @param key the dimension's value of the row
 */
export function matches(dimension: Dimension, key: string, { op, values }: Filter, bind: Bind): string {
  const text = dimension.text(key);
  if (dimension.address !== null)
    return matchesAddress(text, { dimension: dimension.id, op, values }, dimension.address === 'whole', bind);
  const bound = values.map(bind);
  const [value = 'null'] = bound;
  switch (op) {
    case 'eq':
      return `${text} = ${value}`;
    case 'neq':
      return `${text} is distinct from ${value}`;
    case 'in':
      return `${text} in (${bound.join(', ')})`;
    case 'contains':
      return `contains(lower(${text}), lower(${value}))`;
    case 'regex':
      return `regexp_matches(${text}, ${value})`;
  }
}

/** In SQL. */
export const COMPARE: Readonly<Record<Comparison, string>> = {
  eq: '=',
  neq: '<>',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
};
