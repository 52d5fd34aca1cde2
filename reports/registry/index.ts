/** Every identifier of `POST /reports`, read by OpenAPI, validation, the compiler and the cabinet's report builder. */
import { isGoalCode } from '../../domain/sites/goalCode.ts';
import { AUDIENCE as AUDIENCE_DIMENSIONS, isAttribute } from './dimensions/audience.ts';
import { GOAL, ORDER, PRODUCT } from './dimensions/goalsAndOrders.ts';
import { PAGE } from './dimensions/page.ts';
import { SOURCE } from './dimensions/source.ts';
import { TIME } from './dimensions/time.ts';
import { GEOGRAPHY, TECHNOLOGY, VISIT } from './dimensions/visit.ts';
import { AUDIENCE } from './metrics/audience.ts';
import { GOALS } from './metrics/goals.ts';
import { ORDERS } from './metrics/orders.ts';
import { PAGES } from './metrics/pages.ts';
import { PRODUCTS } from './metrics/products.ts';
import { VISITS } from './metrics/visits.ts';
import type { Dimension, Metric } from './entry/types.ts';

export { aboutDimension, aboutMetric } from './about/index.ts';
export { COLUMNS, columnsOf, LETTER, SCROLL, SEQUENCE } from './entry/columns.ts';
export { isCompatible, needsOf } from './compatibility.ts';
export { attributeOf } from './dimensions/audience.ts';
export { isGoal } from './metrics/defineMetric.ts';
export { aggregatesOf, usesTerm, expressionsOf } from './entry/termsInMetrics.ts';
export { PERSON, type Expression, type RowTerm } from './entry/terms.ts';
export type * from './entry/aggregates.ts';
export type * from './entry/levels.ts';
export type * from './entry/types.ts';

/** In the order of the documentation. */
export const DIMENSIONS: readonly Dimension[] = [
  ...TIME,
  ...SOURCE,
  ...VISIT,
  ...TECHNOLOGY,
  ...GEOGRAPHY,
  ...PAGE,
  ...GOAL,
  ...ORDER,
  ...PRODUCT,
  ...AUDIENCE_DIMENSIONS,
];
export const METRICS: readonly Metric[] = [...VISITS, ...PAGES, ...GOALS, ...ORDERS, ...PRODUCTS, ...AUDIENCE];

const dimensions = new Map(DIMENSIONS.map((dimension) => [dimension.id, dimension]));
const metrics = new Map(METRICS.map((metric) => [metric.id, metric]));

export interface FoundDimension {
  dimension: Dimension;
  /** The text after the colon; empty if there is no parameter. */
  param: string;
}

export interface FoundMetric {
  metric: Metric;
  param: string;
}

/**
 * Finds a dimension.
 * @returns null if no dimension has this name, a required parameter is missing, or the dimension takes none
 */
export function findDimension(id: string): FoundDimension | null {
  const [name, param] = parted(id);
  const dimension = dimensions.get(name);
  if (dimension === undefined || (dimension.takes === null) !== (param === null)) return null;
  if (param === '' || (dimension.takes === 'attribute' && !isAttribute(param ?? ''))) return null;
  return { dimension, param: param ?? '' };
}

/**
 * Finds a metric, without checking that the site has the goal after the colon.
 * @returns null if no metric has this name
 */
export function findMetric(id: string): FoundMetric | null {
  const [name, param] = parted(id);
  const metric = metrics.get(name);
  if (metric === undefined) return null;
  if (param !== null && (metric.takes === null || !isGoalCode(param))) return null;
  return { metric, param: param ?? '' };
}

/** A key may contain colons. */
function parted(id: string): [name: string, param: string | null] {
  const colon = id.indexOf(':');
  return colon === -1 ? [id, null] : [id.slice(0, colon), id.slice(colon + 1)];
}
