/** Reports over every existing dimension. */
import { DIMENSIONS } from '../../../reports/registry/index.ts';
import type { Dimension } from '../../../reports/registry/types.ts';

/** The metric by which each level is counted. */
const METRICS: Readonly<Record<Dimension['level'], string>> = {
  visit: 'visits',
  hit: 'hits',
  goal: 'conversions',
  order: 'orders',
  product: 'product_quantity',
  person: 'people',
};

/**
 * Returns the requests of POST /reports: one for each dimension, or one for each key where the dimension takes one.
 */
export function everyDimension(keys: readonly string[], period: { date_from: string; date_to: string }): object[] {
  return DIMENSIONS.flatMap(({ id, level, takes }) => {
    const attributes = ['gender', ...keys.map((key) => `visitor_param:${key}`)];
    const params = takes === null ? [''] : (takes === 'key' ? keys : attributes).map((key) => `:${key}`);
    return params.map((param) => ({
      dimensions: [`${id}${param}`],
      metrics: [METRICS[level]],
      ...period,
      robots: 'include',
      limit: 1000,
    }));
  });
}
