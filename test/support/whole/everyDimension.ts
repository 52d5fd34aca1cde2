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

/** A report of several dimensions costs little more than a report of one. */
const AT_ONCE = 3;

/**
 * Returns requests of POST /reports that together have every dimension; a dimension that needs a key appears with each
 * of the keys. The dimensions of one request have the same level and type of hit, because a report has only rows that
 * have all of them. A request about people has one dimension, as shares of people require.
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
