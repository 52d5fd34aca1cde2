/**
 * The values that a visit derives from the visits before it: its number, their times, and its source by attribution
 * model.
 */
import { DAY_MS } from '../timeUnits.ts';
import type { TrafficSource } from '../sites/trafficSource.ts';
import { isSignificant } from './significantSource.ts';
import type { History, Visit } from './visitState.ts';

/** A longer pause between two visits restarts the history of sources. */
export const SOURCE_HISTORY_MS = 90 * DAY_MS;

/** The state before the chain: the visits that were not loaded, or nothing. */
interface Base {
  number: number;
  firstVisitAt: number | null;
  startedAt: number | null;
}

/**
 * Sets on all visits the values that follow from those before them, and on the visitor those that follow from all: a
 * late hit may have put a visit between others, or moved a start.
 * @param known how many of the visits were loaded, the newest of `visitor.visits`; the others are new
 */
export function chainVisits({ visitor, visits }: History, known: number): void {
  const forgotten = visitor.visits - known;
  const base = baseOf(visitor, visits, forgotten);
  let before: Visit | null = null;
  for (const visit of visits) {
    // The values that the first loaded visit got from visits that are not loaded stay, whatever arrived later.
    const isFixed = before === null && forgotten > 0 && !isNew(visit);
    if (!isFixed) chain(visit, before, base);
    before = visit;
  }
  if (before === null) return;
  visitor.visits = before.row.visit_number;
  visitor.firstVisitAt = before.row.first_visit_at;
  visitor.lastVisitAt = before.row.started_at;
}

const isNew = (visit: Visit): boolean => visit.row.visit_number === 0;

function baseOf(visitor: History['visitor'], visits: readonly Visit[], forgotten: number): Base {
  if (forgotten === 0) return { number: 0, firstVisitAt: null, startedAt: null };
  const loaded = visits.find((visit) => !isNew(visit));
  return {
    number: forgotten,
    firstVisitAt: visitor.firstVisitAt,
    startedAt: loaded ? loaded.row.previous_visit_at : visitor.lastVisitAt,
  };
}

function chain(visit: Visit, before: Visit | null, base: Base): void {
  const own = visit.row.source_last;
  // If no earlier visit is loaded, there is none, or the previous one ended over 90 days ago.
  const history =
    before !== null && visit.row.started_at - before.row.ended_at <= SOURCE_HISTORY_MS ? before.row : null;
  const carried =
    history !== null && !isSignificant(own) && isSignificant(history.source_last_significant)
      ? history.source_last_significant
      : own;
  set(visit, 'visit_number', (before?.row.visit_number ?? base.number) + 1);
  set(visit, 'first_visit_at', before?.row.first_visit_at ?? base.firstVisitAt ?? visit.row.started_at);
  set(visit, 'previous_visit_at', before?.row.started_at ?? base.startedAt);
  setSource(visit, 'source_last_significant', carried);
  setSource(visit, 'source_first', history?.source_first ?? own);
}

function set(visit: Visit, field: 'visit_number' | 'first_visit_at' | 'previous_visit_at', value: number | null): void {
  if (visit.row[field] === value) return;
  Object.assign(visit.row, { [field]: value });
  visit.isChanged = true;
}

function setSource(visit: Visit, field: 'source_last_significant' | 'source_first', value: TrafficSource): void {
  if (isSameSource(visit.row[field], value)) return;
  visit.row[field] = value;
  visit.isChanged = true;
}

function isSameSource(a: TrafficSource, b: TrafficSource): boolean {
  return a === b || (Object.keys(b) as (keyof TrafficSource)[]).every((field) => a[field] === b[field]);
}
