/** Changes of a report in the builder. invalidCombinations.ts checks whether the result is valid. */
import { findDimension, type ReportFields } from './reportFields.ts';
import type { Attribution, Filter, ReportState, Robots } from './reportAddress.ts';

export type Change = (state: ReportState) => ReportState;

/** Adds or removes a dimension. */
export const toggleDimension =
  (id: string): Change =>
  (state) =>
    normalised({ ...state, by: toggled(state.by, id) });

/** Adds or removes a metric. */
export const toggleMetric =
  (id: string): Change =>
  (state) =>
    normalised({ ...state, show: toggled(state.show, id) });

/** @param index of the filter to replace; without it the filter is added */
export const putFilter =
  (filter: Filter, index?: number): Change =>
  (state) =>
    normalised({
      ...state,
      where: index === undefined ? [...state.where, filter] : state.where.with(index, filter),
    });

export const removeFilter =
  (index: number): Change =>
  (state) =>
    normalised({ ...state, where: state.where.filter((_, at) => at !== index) });

/** Replaces the segment with a saved one; null removes it. */
export const chooseSegment =
  (segment: string | null): Change =>
  (state) =>
    normalised({ ...state, segment: segment ?? undefined, conditions: undefined });

export const chooseAttribution =
  (attribution: Attribution): Change =>
  (state) =>
    normalised({ ...state, attribution: attribution === 'last_significant' ? undefined : attribution });

export const chooseRobots =
  (robots: Robots): Change =>
  (state) =>
    normalised({ ...state, robots: robots === 'exclude' ? undefined : robots });

/** Cycles the sorting of a column: its most useful direction, then the other one, then the default order again. */
export function sortBy(fields: ReportFields, field: string): Change {
  const [first, second] = startsAscending(fields, field) ? (['asc', 'desc'] as const) : (['desc', 'asc'] as const);
  return (state) => {
    const dir = state.sort?.field !== field ? first : state.sort.dir === first ? second : null;
    return normalised({ ...state, sort: dir === null ? undefined : { field, dir } });
  };
}

export const goToPage =
  (page: number): Change =>
  (state) => ({ ...state, page: page > 1 ? page : undefined });

const startsAscending = (fields: ReportFields, id: string): boolean => findDimension(fields, id) !== undefined;

function toggled(ids: readonly string[], id: string): string[] {
  return ids.includes(id) ? ids.filter((one) => one !== id) : [...ids, id];
}

/** A change starts again at the first page, and drops sorting by removed fields. */
function normalised(state: ReportState): ReportState {
  const { by, show, sort } = state;
  const isSorted = sort !== undefined && (by.includes(sort.field) || show.includes(sort.field));
  return { ...state, sort: isSorted ? sort : undefined, page: undefined };
}
