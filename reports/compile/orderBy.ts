/** The order of a report's rows. */
import { join, raw, type Sql } from '../sql/index.ts';
import type { ResolvedRequest } from './request/resolvedRequest.ts';

interface SortedBy {
  column: string;
  dir: 'asc' | 'desc';
}

/** Sorts unknown values last in either direction, and equal rows by the dimensions. */
export function orderBy(resolved: ResolvedRequest): Sql {
  const requested = sortOf(resolved);
  const ties = resolved.dimensions
    .map(({ index }): SortedBy => ({ column: `d${index}`, dir: 'asc' }))
    .filter((tie) => !requested.some(({ column }) => column === tie.column));
  return join([...requested, ...ties].map(({ column, dir }) => raw(`${column} ${dir} nulls last`)));
}

function sortOf({ request, dimensions }: ResolvedRequest): SortedBy[] {
  const time = dimensions.find(({ dimension }) => dimension.isTime);
  if (request.sort.length === 0)
    return [time === undefined ? { column: 'm0', dir: 'desc' } : { column: `d${time.index}`, dir: 'asc' }];
  return request.sort.map(({ field, dir }) => {
    const dimension = request.dimensions.indexOf(field);
    return { column: dimension === -1 ? `m${request.metrics.indexOf(field)}` : `d${dimension}`, dir };
  });
}
