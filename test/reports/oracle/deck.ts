/** Requests that together use every identifier, whatever the random ones omit. */
import { DIMENSIONS, isCompatible, METRICS, type Dimension } from '../../../reports/registry/index.ts';
import type { ReportRequest } from '../../../reports/reportRequest.ts';
import { shiftDate } from './wallClock.ts';

const DIMENSIONS_OF_A_REQUEST = 3;
const METRICS_OF_A_REQUEST = 10;

const PARAMS: Readonly<Record<string, string>> = {
  visit_param: 'plan',
  event_param: 'plan',
  visitor_param: 'plan',
  value_source: 'gender',
};

const idOf = ({ id }: Dimension): string => (PARAMS[id] === undefined ? id : `${id}:${PARAMS[id]}`);

/** Returns requests with dimensions of one level together, and metrics in turn, those not used yet first. */
export function deckOf(day: string): ReportRequest[] {
  const asked = new Map(METRICS.map(({ id }) => [id, 0]));
  return dimensionGroups().map((dimensions) => {
    const fitting = METRICS.filter((metric) => isCompatible(metric, dimensions)).toSorted(
      (a, b) => (asked.get(a.id) ?? 0) - (asked.get(b.id) ?? 0),
    );
    const metrics = fitting.slice(0, METRICS_OF_A_REQUEST).map(({ id }) => id);
    for (const id of metrics) asked.set(id, (asked.get(id) ?? 0) + 1);
    return {
      dimensions: dimensions.map(idOf),
      metrics,
      date_from: shiftDate(day, -100),
      date_to: shiftDate(day, 100),
      filters: [],
      segment: null,
      attribution: 'last_significant',
      robots: 'include',
      sort: [],
      limit: 10_000,
      offset: 0,
    };
  });
}

/** Shares of people need a single audience dimension, and a dimension of events would hide every form. */
function dimensionGroups(): Dimension[][] {
  const kindOf = ({ level, hitType }: Dimension): string => `${level} ${hitType}`;
  const kinds = [...new Set(DIMENSIONS.map(kindOf))];
  return kinds.flatMap((kind) => {
    const some = DIMENSIONS.filter((dimension) => kindOf(dimension) === kind);
    const size = some[0]?.level === 'person' ? 1 : DIMENSIONS_OF_A_REQUEST;
    return Array.from({ length: Math.ceil(some.length / size) }, (_, index) =>
      some.slice(index * size, (index + 1) * size),
    );
  });
}
