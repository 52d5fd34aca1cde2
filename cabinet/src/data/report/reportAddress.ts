/** A report as stored in the address, and as a request. */
import { periodOf, type Days, type Period } from '../period.ts';
import type { cabinet } from '../client.ts';
import { exhaustiveList } from '../exhaustiveList.ts';
import { oneOf } from '../searchValues.ts';
import { isUuid } from '../uuid.ts';
import { isRecord } from '../isRecord.ts';
import { DEFAULT_REPORT } from './defaultReport.ts';
import { PAGE_ROWS } from './reportPages.ts';

export type Filter = cabinet.ReportFilter;
export type Conditions = cabinet.ReportSegment;
export type ReportRequest = cabinet.ReportRequest;
export type Attribution = NonNullable<ReportRequest['attribution']>;
export type Robots = NonNullable<ReportRequest['robots']>;
export type Sort = NonNullable<ReportRequest['sort']>[number];

export const OPS = exhaustiveList<Filter['op']>({ eq: true, neq: true, contains: true, in: true, regex: true });
export const ATTRIBUTIONS = exhaustiveList<Attribution>({ last_significant: true, first: true, last: true });
export const ROBOTS = exhaustiveList<Robots>({ exclude: true, include: true, only: true });

/** Undefined values mean the default. */
export interface ReportSearch extends Period {
  /** Dimensions. */
  by?: string[] | undefined;
  /** Metrics. */
  show?: string[] | undefined;
  where?: Filter[] | undefined;
  /** A saved segment. */
  segment?: string | undefined;
  /** Conditions of a segment that is not saved. */
  conditions?: Conditions | undefined;
  attribution?: Attribution | undefined;
  robots?: Robots | undefined;
  sort?: Sort | undefined;
  /** Absent for the first page. */
  page?: number | undefined;
  /** The saved report that it was opened from. */
  saved?: string | undefined;
}

/** A report with all its parts. */
export interface ReportState extends Omit<ReportSearch, 'by' | 'show' | 'where' | keyof Period> {
  by: readonly string[];
  show: readonly string[];
  where: readonly Filter[];
}

/** Reads the query of an address; malformed values are left out. The server checks whether the fields exist. */
export function reportSearchOf(search: Record<string, unknown>): ReportSearch {
  const by = textsOf(search['by']);
  const show = textsOf(search['show']);
  return {
    ...periodOf(search),
    by,
    show: show?.length === 0 ? undefined : show,
    where: filtersOf(search['where']),
    segment: idOf(search['segment']),
    conditions: isRecord(search['conditions']) ? (search['conditions'] as Conditions) : undefined,
    attribution: oneOf(ATTRIBUTIONS, search['attribution']),
    robots: oneOf(ROBOTS, search['robots']),
    sort: sortOf(search['sort']),
    page: pageOf(search['page']),
    saved: idOf(search['saved']),
  };
}

export function stateOf({
  by,
  show,
  where,
  period: _1,
  from: _2,
  to: _3,
  compare: _4,
  ...rest
}: ReportSearch): ReportState {
  const isFirst = by === undefined && show === undefined;
  return {
    ...rest,
    by: by ?? (isFirst ? DEFAULT_REPORT.by : []),
    show: show ?? (isFirst ? DEFAULT_REPORT.show : ['visits']),
    where: where ?? [],
  };
}

/** Returns the state in the form of an address. */
export function searchOf({ by, show, where, ...rest }: ReportState): ReportSearch {
  return { ...rest, by: [...by], show: [...show], where: where.length > 0 ? [...where] : undefined };
}

/** Returns the request for all rows, without limit and offset, as it is saved and exported. */
export function reportOf(state: ReportState, { from, to }: Days): ReportRequest {
  const { by, show, where, segment, conditions, attribution, robots, sort } = state;
  return {
    ...(by.length > 0 && { dimensions: [...by] }),
    metrics: [...show],
    date_from: from,
    date_to: to,
    ...(where.length > 0 && { filters: [...where] }),
    ...(segment !== undefined && { segment_id: segment }),
    ...(segment === undefined && conditions !== undefined && { segment: conditions }),
    ...(attribution !== undefined && { attribution }),
    ...(robots !== undefined && { robots }),
    ...(isSorted(state) && sort && { sort: [sort] }),
  };
}

/** Returns the request of one page. */
export function pageRequestOf(state: ReportState, days: Days): ReportRequest {
  const { page = 1 } = state;
  return { ...reportOf(state, days), limit: PAGE_ROWS, ...(page > 1 && { offset: (page - 1) * PAGE_ROWS }) };
}

/** Returns whether it is sorted by one of its fields. */
function isSorted({ by, show, sort }: ReportState): boolean {
  return sort !== undefined && (by.includes(sort.field) || show.includes(sort.field));
}

function textsOf(value: unknown): string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return [...new Set(value.filter((one): one is string => typeof one === 'string' && one !== ''))];
}

function filtersOf(value: unknown): Filter[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const filters = value.flatMap((one) => filterOf(one) ?? []);
  return filters.length > 0 ? filters : undefined;
}

function filterOf(value: unknown): Filter | null {
  if (!isRecord(value)) return null;
  const { dimension, op: given, values } = value;
  const op = oneOf(OPS, given);
  const isGood =
    typeof dimension === 'string' && Array.isArray(values) && values.every((one) => typeof one === 'string');
  return isGood && op !== undefined ? { dimension, op, values } : null;
}

function sortOf(value: unknown): Sort | undefined {
  if (!isRecord(value)) return undefined;
  const { field, dir } = value;
  return typeof field === 'string' && (dir === 'asc' || dir === 'desc') ? { field, dir } : undefined;
}

/** Upper bound of page numbers: no report has this many rows. */
const LAST_PAGE = 1_000_000;

function pageOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value > 1 && value <= LAST_PAGE ? value : undefined;
}

function idOf(value: unknown): string | undefined {
  return typeof value === 'string' && isUuid(value) ? value : undefined;
}
