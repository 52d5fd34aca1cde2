/** Values for filters, taken from labels of the world. */
import type { ReportRequest } from '../../../reports/reportRequest.ts';
import { evaluate } from './evaluate.ts';
import { levelOf } from './dimensions.ts';
import type { KnownValues } from './requests.ts';
import { shiftDate } from './wallClock.ts';
import type { RandomWorld } from './world/worlds.ts';

const COUNTS = {
  time: 'visits',
  visit: 'visits',
  hit: 'hits',
  goal: 'conversions',
  order: 'orders',
  product: 'product_orders',
  person: 'people',
} as const;
const MOST = 12;

export function knownValues({ world, site, day }: RandomWorld): KnownValues {
  const known = new Map<string, readonly string[]>();
  return (dimension) => {
    const before = known.get(dimension);
    if (before !== undefined) return before;
    const request: ReportRequest = {
      dimensions: [dimension],
      metrics: [COUNTS[levelOf(dimension)]],
      date_from: shiftDate(day, -400),
      date_to: shiftDate(day, 400),
      filters: [],
      segment: null,
      attribution: 'last',
      robots: 'include',
      sort: [],
      limit: MOST,
      offset: 0,
    };
    const { rows } = evaluate(world, request, site, { sampled: false, audienceMinPeople: 1 });
    const values = rows
      .flatMap(({ labels: [label] }) => (label === null || label === undefined ? [] : [label]))
      .slice(0, MOST);
    known.set(dimension, values);
    return values;
  };
}
