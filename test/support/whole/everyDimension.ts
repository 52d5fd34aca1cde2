/** Reports over every existing dimension. */
import { DIMENSIONS } from '../../../reports/registry/index.ts';
import type { Dimension } from '../../../reports/registry/entry/types.ts';

/** The metric by which each level is counted. */
const METRICS: Readonly<Record<Dimension['level'], string>> = {
  visit: 'visits',
  hit: 'hits',
  goal: 'conversions',
  order: 'orders',
  product: 'product_quantity',
  person: 'people',
};

export interface DimensionsRequest {
  dimensions: string[];
  metrics: string[];
}

/** A report of several dimensions costs little more than one of a single one. */
const AT_ONCE = 3;

/**
 * Returns requests of POST /reports that together have every dimension, with each of the keys where it needs one.
 * Dimensions of one request are of the same hits, because a report has only rows with all of them; shares of people
 * need one at a time.
 */
export function everyDimension(
  keys: readonly string[],
  period: { date_from: string; date_to: string },
): DimensionsRequest[] {
  const kindOf = ({ level, hitType }: Dimension): string => `${level} ${hitType}`;
  return [...Map.groupBy(DIMENSIONS, kindOf).values()].flatMap((some) => {
    const level = some[0]?.level ?? 'visit';
    const ids = some.flatMap(({ id, takes }) => paramsOf(takes, keys).map((param) => `${id}${param}`));
    const size = level === 'person' ? 1 : AT_ONCE;
    return Array.from({ length: Math.ceil(ids.length / size) }, (_, index) => ({
      dimensions: ids.slice(index * size, (index + 1) * size),
      metrics: [METRICS[level]],
      ...period,
      robots: 'include',
      limit: 1000,
    }));
  });
}

function paramsOf(takes: Dimension['takes'], keys: readonly string[]): string[] {
  if (takes === null) return [''];
  const attributes = ['gender', ...keys.map((key) => `visitor_param:${key}`)];
  return (takes === 'key' ? keys : attributes).map((key) => `:${key}`);
}
