/** Conditions on properties, as the specification and the API description define them. */
import type { PropertyType, PropertyValue, Rulebook } from '../world/world.ts';

export interface Filter {
  property: string;
  op: string;
  value: unknown;
}

/** The operators that fit a property's type. */
export const OPS: Readonly<Record<PropertyType, readonly string[]>> = {
  string: ['eq', 'neq', 'in', 'not_in', 'exists'],
  number: ['eq', 'neq', 'in', 'not_in', 'exists', 'gt', 'gte', 'lt', 'lte'],
  datetime: ['eq', 'neq', 'in', 'not_in', 'exists', 'gt', 'gte', 'lt', 'lte'],
  boolean: ['eq', 'neq', 'exists'],
  string_array: ['contains_any', 'contains_all', 'exists'],
};

export function passes(
  { property, op, value }: Filter,
  properties: Readonly<Record<string, PropertyValue>> | null,
  rulebook: Rulebook,
): boolean {
  const type = rulebook.properties.get(property);
  const given = properties?.[property] ?? null;
  if (op === 'exists') return (given !== null) === value;
  if (given === null) return op === 'neq' || op === 'not_in';
  const read = (one: unknown): unknown => (type === 'datetime' ? Date.parse(String(one)) : one);
  const own = read(given) as number;
  const wanted = Array.isArray(value) ? value.map(read) : [];
  switch (op) {
    case 'eq':
      return own === read(value);
    case 'neq':
      return own !== read(value);
    case 'in':
      return wanted.includes(own);
    case 'not_in':
      return !wanted.includes(own);
    case 'gt':
      return own > (read(value) as number);
    case 'gte':
      return own >= (read(value) as number);
    case 'lt':
      return own < (read(value) as number);
    case 'lte':
      return own <= (read(value) as number);
    case 'contains_any':
      return wanted.some((one) => (given as readonly unknown[]).includes(one));
    case 'contains_all':
      return wanted.every((one) => (given as readonly unknown[]).includes(one));
    default:
      throw new Error(`no such operation: ${op}`);
  }
}
