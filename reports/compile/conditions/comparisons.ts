/** Comparisons of filters and of segment conditions. */
import type { Dimension } from '../../registry/index.ts';
import type { Comparison, Filter } from '../../reportRequest.ts';
import { call, join, raw, sql, type Sql } from '../../sql/index.ts';
import { matchesAddress } from './pageAddressFilters.ts';

/**
 * Returns the condition that a row's value passes the filter. Unknown (null) equals nothing, so only `neq` is true of
 * it. The other operators yield null for it, which must be turned into false below a `not`.
 * @param key the value of the dimension
 */
export function matches(dimension: Dimension, key: Sql, { op, values }: Filter): Sql {
  const text = dimension.text(key);
  if (dimension.address !== null)
    return matchesAddress(text, { dimension: dimension.id, op, values }, dimension.address === 'whole');
  const bound = values.map((value) => sql`${value}`);
  const [value = raw('null')] = bound;
  switch (op) {
    case 'eq':
      return sql`${text} = ${value}`;
    case 'neq':
      return sql`${text} is distinct from ${value}`;
    case 'in':
      return sql`${text} in (${join(bound)})`;
    case 'contains':
      return call('contains', text, value);
    case 'regex':
      return call('matches', text, value);
  }
}

/** The SQL operator of each comparison. */
export const COMPARE: Readonly<Record<Comparison, Sql>> = {
  eq: raw('='),
  neq: raw('<>'),
  gt: raw('>'),
  gte: raw('>='),
  lt: raw('<'),
  lte: raw('<='),
};
