/**
 * Offsets of a time zone, so that a statement can compute local times from UTC without a calendar lookup for each row.
 */
import { growingCache } from '../../../platform/process/growingCache.ts';
import { DAY_MS } from '../../../domain/timeUnits.ts';

/** An offset: from this time on (epoch milliseconds), local time is this many milliseconds ahead of UTC. */
export interface Offset {
  from: number;
  ms: number;
}

/** A format takes some 70 KB; an evicted one is made again. */
const MAX_FORMATS = 100;
/** A report reads a few years of its zone; one by days since an earlier visit reads all of `EVER` (period.ts). */
const MAX_YEARS = 2_000;

const years = growingCache<string, readonly Offset[]>(MAX_YEARS);
const formats = growingCache<string, Intl.DateTimeFormat>(MAX_FORMATS);

/**
 * Returns the offset in force at `from` and each change before `to`, ascending; the first one's `from` is −Infinity.
 */
export function offsetsWithin(zone: string, from: number, to: number): readonly Offset[] {
  const found: Offset[] = [{ from: -Infinity, ms: offsetAt(zone, from) }];
  for (let year = new Date(from).getUTCFullYear(); year <= new Date(to).getUTCFullYear(); year += 1) {
    found.push(...changesOf(zone, year).filter((change) => change.from > from && change.from < to));
  }
  return found;
}

/** Returns the milliseconds by which the zone's local time is ahead of UTC at a time. */
export function offsetAt(zone: string, at: number): number {
  const parts: Record<string, number> = {};
  for (const { type, value } of formatOf(zone).formatToParts(at)) parts[type] = Number(value);
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = parts;
  // Intl has no milliseconds; those of a local time equal those of UTC.
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1000) * 1000;
}

/**
 * Returns the first time at which the zone's calendar shows this day or a later one: midnight may not exist, or occur
 * twice.
 */
export function startOfDay(zone: string, day: string): number {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  const offsets = offsetsWithin(zone, midnight - 2 * DAY_MS, midnight + 2 * DAY_MS);
  for (const [index, { from, ms }] of offsets.entries()) {
    const start = Math.max(from, midnight - ms);
    if (start < (offsets[index + 1]?.from ?? Infinity)) return start;
  }
  throw new Error(`no start of ${day} in ${zone}`);
}

/** Compares the offsets of successive midnights in UTC: no zone changes twice within a day. */
function changesOf(zone: string, year: number): readonly Offset[] {
  const key = `${zone} ${year}`;
  const known = years.get(key);
  if (known) return known;
  const changes: Offset[] = [];
  const end = Date.UTC(year + 1, 0, 1);
  for (let at = Date.UTC(year, 0, 1); at < end; at += DAY_MS) {
    const next = Math.min(at + DAY_MS, end);
    if (offsetAt(zone, at) !== offsetAt(zone, next)) changes.push(changeWithin(zone, at, next));
  }
  years.set(key, changes);
  return changes;
}

/** Bisects to the second and returns the first time of the new offset. */
function changeWithin(zone: string, from: number, to: number): Offset {
  const before = offsetAt(zone, from);
  let low = from;
  let high = to;
  while (high - low > 1000) {
    const middle = Math.floor((low + high) / 2000) * 1000;
    if (offsetAt(zone, middle) === before) low = middle;
    else high = middle;
  }
  return { from: high, ms: offsetAt(zone, high) };
}

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-u-ca-gregory', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formats.set(zone, made);
  return made;
}
