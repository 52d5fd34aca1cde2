/** Declared properties of items: those by which a project filters must have their declared type. */
import { isDateTime } from '../dateTime.ts';
import type { ItemFault } from './item.ts';

export const PROPERTY_TYPES = ['string', 'number', 'boolean', 'datetime', 'string_array'] as const;
export type PropertyType = (typeof PROPERTY_TYPES)[number];

export interface PropertyDeclaration {
  name: string;
  type: PropertyType;
  filterable: boolean;
}

const isText = (value: unknown): boolean => typeof value === 'string';
const FITS: Readonly<Record<PropertyType, (value: unknown) => boolean>> = {
  string: isText,
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  datetime: isText,
  string_array: (value) => Array.isArray(value) && value.every(isText),
};

/**
 * Returns the faults of an item's properties. Only filterable ones are checked against their type; a missing one and
 * null mean that the item has none.
 */
export function propertyFaults(
  declared: readonly PropertyDeclaration[],
  properties: Record<string, unknown> | null,
): ItemFault[] {
  if (properties === null) return [];
  const faults: ItemFault[] = [];
  for (const { name, type, filterable } of declared) {
    const value = filterable && Object.hasOwn(properties, name) ? properties[name] : null;
    if (value === null) continue;
    const field = `properties.${name}`;
    if (!FITS[type](value)) faults.push({ field, code: 'invalid_type' });
    else if (type === 'datetime' && !isDateTime(String(value))) faults.push({ field, code: 'invalid_datetime' });
  }
  return faults;
}
