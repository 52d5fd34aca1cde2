/** Conditions on the text of a dimension's code. */
import type { Filter } from '../request.ts';

type Bind = (value: string | number) => string;

/**
 * A boolean that is never null: null equals nothing, so only `neq` lets it through.
 * @param text the code, as VARCHAR
 */
export function filterSql(bind: Bind, text: string, { op, values }: Pick<Filter, 'op' | 'values'>): string {
  const [value = ''] = values;
  if (op === 'neq') return `(${text}) is distinct from ${bind(value)}`;
  return `coalesce(${comparison(bind, text, op, values)}, false)`;
}

function comparison(bind: Bind, text: string, op: Exclude<Filter['op'], 'neq'>, values: readonly string[]): string {
  const [value = ''] = values;
  switch (op) {
    case 'eq': return `(${text}) = ${bind(value)}`;
    case 'in': return `(${text}) in (${values.map((one) => bind(one)).join(', ')})`;
    case 'contains': return `contains(lower(${text}), lower(${bind(value)}))`;
    case 'regex': return `regexp_matches(${text}, ${bind(value)})`;
  }
}

/** Whether a row without a value is let through. */
export function takesNull(filters: readonly Pick<Filter, 'op'>[]): boolean {
  return filters.every(({ op }) => op === 'neq');
}
