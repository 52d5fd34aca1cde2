/** Conditions on the properties of items, as users enter them. */
import type { cabinet } from '../client.ts';
import { exhaustiveList } from '../exhaustiveList.ts';
import { limits } from '../apiLimits.ts';
import type { Property } from '../project/projectSettings.ts';
import { isRecord } from '../isRecord.ts';
import { oneOf, textOf } from '../searchValues.ts';

export type Filter = cabinet.OutputFilter;
export type FilterOp = Filter['op'];

const ALL_OPS = exhaustiveList<FilterOp>({
  eq: true,
  neq: true,
  in: true,
  not_in: true,
  gt: true,
  gte: true,
  lt: true,
  lte: true,
  exists: true,
  contains_any: true,
  contains_all: true,
});
const ORDERED: readonly FilterOp[] = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'in', 'not_in', 'exists'];

/** The operators for a property of each type, the usual one first. */
export const OPS: Readonly<Record<Property['type'], readonly FilterOp[]>> = {
  string: ['eq', 'neq', 'in', 'not_in', 'exists'],
  number: ORDERED,
  datetime: ORDERED,
  boolean: ['eq', 'neq', 'exists'],
  string_array: ['contains_any', 'contains_all', 'exists'],
};

const LISTS: ReadonlySet<FilterOp> = new Set(['in', 'not_in', 'contains_any', 'contains_all']);

export const isList = (op: FilterOp): boolean => LISTS.has(op);
/** Returns whether the operator and the type require yes or no as the value. */
export const isYesNo = (op: FilterOp, type: Property['type']): boolean => op === 'exists' || type === 'boolean';

/** Converts text to a value; elements of lists are separated by commas. */
export function valueOf(text: string, op: FilterOp, type: Property['type']): Filter['value'] {
  if (isYesNo(op, type)) return text !== 'false';
  const one = (part: string): string | number => {
    const number = Number(part);
    return type === 'number' && part.trim() !== '' && !Number.isNaN(number) ? number : part;
  };
  if (!isList(op)) return one(text);
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map(one);
}

/** Converts a value to text. */
export function textOfValue(value: Filter['value']): string {
  return Array.isArray(value) ? value.join(', ') : String(value);
}

/** Reads filters from an address; malformed ones are left out. */
export function filtersOf(value: unknown): Filter[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const filters = value.flatMap((one: unknown): Filter[] => {
    if (!isRecord(one)) return [];
    const property = textOf(one['property'], 191);
    const op = oneOf(ALL_OPS, one['op']);
    const answer = one['value'];
    return property !== undefined && op !== undefined && isValue(answer) ? [{ property, op, value: answer }] : [];
  });
  return filters.length > 0 ? filters.slice(0, limits.putSurface_defaults_filters) : undefined;
}

function isValue(value: unknown): value is Filter['value'] {
  const isOne = (one: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof one);
  return isOne(value) || (Array.isArray(value) && value.every(isOne));
}
