import type { Comparison, Filter } from '../../../reports/request.ts';

/** An unknown value equals nothing. */
export function passes(label: string | null, { op, values }: Filter): boolean {
  const [value = ''] = values;
  if (op === 'neq') return label !== value;
  if (label === null) return false;
  switch (op) {
    case 'eq':
      return label === value;
    case 'in':
      return values.includes(label);
    case 'contains':
      return label.toLowerCase().includes(value.toLowerCase());
    case 'regex':
      return new RegExp(value, 'u').test(label);
  }
}

export function compares(left: number, op: Comparison, right: number): boolean {
  switch (op) {
    case 'eq':
      return left === right;
    case 'neq':
      return left !== right;
    case 'gt':
      return left > right;
    case 'gte':
      return left >= right;
    case 'lt':
      return left < right;
    case 'lte':
      return left <= right;
  }
}
