/**
 * Conditions on an item's declared properties, in a request for recommendations or a search. The paths of their faults
 * are put together in api/content/output/outputRequest.ts.
 */
import { parseDateTime } from '../dateTime.ts';
import type { PropertyDeclaration, PropertyType } from '../items/properties.ts';

export const FILTER_OPS = [
  'eq',
  'neq',
  'in',
  'not_in',
  'gt',
  'gte',
  'lt',
  'lte',
  'exists',
  'contains_any',
  'contains_all',
] as const;
export type FilterOp = (typeof FILTER_OPS)[number];

export interface Filter {
  property: string;
  op: FilterOp;
  value: unknown;
}

/** A filter whose property is declared and whose value has been read as the property's type. */
export interface BoundFilter {
  property: string;
  op: FilterOp;
  type: PropertyType;
  /** The values with which the item's value is compared; datetimes are milliseconds since 1970. */
  operands: readonly Scalar[];
  /** Used by `exists`. */
  isWanted: boolean;
}

export type Scalar = string | number | boolean;

/** Maximum number of filters in a request. */
export const MAX_FILTERS = 20;
/** Maximum number of values in one filter. */
export const MAX_FILTER_VALUES = 100;

const ONE_OF: readonly FilterOp[] = ['eq', 'neq', 'in', 'not_in', 'exists'];
const ORDERED: readonly FilterOp[] = [...ONE_OF, 'gt', 'gte', 'lt', 'lte'];
const OPS: Readonly<Record<PropertyType, readonly FilterOp[]>> = {
  string: ONE_OF,
  number: ORDERED,
  datetime: ORDERED,
  boolean: ['eq', 'neq', 'exists'],
  string_array: ['contains_any', 'contains_all', 'exists'],
};
const LIST_OPS: ReadonlySet<FilterOp> = new Set(['in', 'not_in', 'contains_any', 'contains_all']);

/** A fault of a filter, by the part that is wrong. */
export type FilterFault =
  | { part: 'property' | 'op'; code: 'unknown_filter' }
  | { part: 'value'; code: 'invalid_type' | 'invalid_datetime' };

/**
 * Reads a filter by the declaration of its property.
 * @param declared properties by name
 */
export function bindFilter(
  { property, op, value }: Filter,
  declared: ReadonlyMap<string, PropertyDeclaration>,
): BoundFilter | FilterFault {
  const declaration = declared.get(property);
  if (!declaration?.filterable) return { part: 'property', code: 'unknown_filter' };
  const { type } = declaration;
  if (!OPS[type].includes(op)) return { part: 'op', code: 'unknown_filter' };
  const bound = { property, op, type, operands: [], isWanted: true };
  if (op === 'exists')
    return typeof value === 'boolean' ? { ...bound, isWanted: value } : { part: 'value', code: 'invalid_type' };
  const isList = Array.isArray(value);
  if (isList !== LIST_OPS.has(op)) return { part: 'value', code: 'invalid_type' };
  const values: readonly unknown[] = isList ? value : [value];
  const operands = values.map((one) => readScalar(one, type));
  if (operands.every((operand) => operand !== null)) return { ...bound, operands };
  const areTimes = type === 'datetime' && values.every((one) => typeof one === 'string');
  return { part: 'value', code: areTimes ? 'invalid_datetime' : 'invalid_type' };
}

export function isFilterFault(result: BoundFilter | FilterFault): result is FilterFault {
  return 'part' in result;
}

/** Returns null for a value of another type. */
function readScalar(value: unknown, type: PropertyType): Scalar | null {
  switch (type) {
    case 'string':
    case 'string_array':
      return typeof value === 'string' ? value : null;
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) ? value : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'datetime':
      return typeof value === 'string' ? (parseDateTime(value)?.getTime() ?? null) : null;
  }
}

/**
 * Returns true when an item passes. A missing value, null, and one of another type (stored before the declaration) fail
 * all filters except `neq`, `not_in` and `exists: false`.
 */
export function passesFilter(filter: BoundFilter, properties: Readonly<Record<string, unknown>> | null): boolean {
  const given = properties !== null && Object.hasOwn(properties, filter.property) ? properties[filter.property] : null;
  return passesValues(filter, propertyValues(given, filter.type));
}

/** Like {@link passesFilter}, for the values that {@link propertyValues} returned. */
export function passesValues(filter: BoundFilter, values: readonly Scalar[] | null): boolean {
  if (filter.op === 'exists') return (values !== null) === filter.isWanted;
  if (values === null) return filter.op === 'neq' || filter.op === 'not_in';
  return compare(filter, values);
}

/**
 * Returns the values of a stored property by its declared type; null when it has none. Datetimes are milliseconds since
 * 1970.
 */
export function propertyValues(given: unknown, type: PropertyType): readonly Scalar[] | null {
  if (type === 'string_array') return Array.isArray(given) ? given.filter((one) => typeof one === 'string') : null;
  const value = readScalar(given, type);
  return value === null ? null : [value];
}

function compare({ op, operands }: BoundFilter, values: readonly Scalar[]): boolean {
  const [value] = values;
  const [operand] = operands;
  switch (op) {
    case 'contains_any':
      return values.some((one) => isAmong(operands, one));
    case 'contains_all':
      return operands.every((one) => values.includes(one));
    case 'eq':
    case 'in':
      return value !== undefined && isAmong(operands, value);
    case 'neq':
    case 'not_in':
      return value === undefined || !isAmong(operands, value);
    default:
      return value !== undefined && operand !== undefined && inOrder(op, value, operand);
  }
}

/** Lists of up to this many values are searched in less time than their sets are found. */
const SHORT_LIST = 4;
const sets = new WeakMap<readonly Scalar[], ReadonlySet<Scalar>>();

/**
 * Each long list is turned into a set once: selection compares ten boosts of a hundred values with each value of each
 * item.
 */
function isAmong(operands: readonly Scalar[], value: Scalar): boolean {
  if (operands.length <= SHORT_LIST) return operands.includes(value);
  let set = sets.get(operands);
  if (!set) sets.set(operands, (set = new Set(operands)));
  return set.has(value);
}

function inOrder(op: FilterOp, value: Scalar, operand: Scalar): boolean {
  switch (op) {
    case 'gt':
      return value > operand;
    case 'gte':
      return value >= operand;
    case 'lt':
      return value < operand;
    case 'lte':
      return value <= operand;
    default:
      return false;
  }
}
