/** Brings events that were read in any order into the form that training needs. */
import { compareCodePoints } from '../../../domain/codePoints.ts';
import { hash32 } from '../../../domain/hash32.ts';
import type { RawEvents } from './eventColumns.ts';
import { at, type Interactions } from './interactions.ts';
import { sortedByKey } from './sparseRows.ts';

/**
 * Arranges events deterministically, whatever the order in which they were read: people by number, each person's events
 * by time, and items by how many people met them. Events of the same moment (lines of an order, histories that know
 * only days) come in an order of each person's own: if all people had the same, it would be learned as what comes next.
 * @param leftOut items excluded from training
 * @param limit maximum number of items; the least met are left out
 */
export function arrangeEvents(raw: RawEvents, leftOut: ReadonlySet<string>, limit: number): Interactions {
  const { ids } = raw;
  const isKept = Uint8Array.from(ids, (id) => (leftOut.has(id) ? 0 : 1));
  const events = sortedEvents(raw).filter((event) => isKept[at(raw.items, event)] === 1);
  const rankOf = ranksOf(peopleOfItems(raw, events), ids);
  const kept = events.filter((event) => at(rankOf, at(raw.items, event)) < limit);
  const rankedIds: string[] = [];
  // Excluded items have no people, so they rank behind all others.
  for (const [item, id] of ids.entries()) if (isKept[item] === 1) rankedIds[at(rankOf, item)] = id;
  return {
    ids: rankedIds.slice(0, limit),
    offsets: personOffsets(raw, kept),
    items: kept.map((event) => at(rankOf, at(raw.items, event))),
    seconds: kept.map((event) => Math.max(0, Math.floor(at(raw.times, event) / 1000))),
    weights: Float32Array.from(kept, (event) => at(raw.weights, event)),
    baskets: kept.map((event) => at(raw.baskets, event)),
  };
}

/** Returns the events ordered by person and time. */
function sortedEvents(raw: RawEvents): Uint32Array {
  const { ids, people, times, items, weights } = raw;
  const { indexes, count } = personIndexes(raw.people);
  const { starts, entries: sorted } = sortedByKey(indexes, count);
  const byItem = (person: number, one: string, other: string): number =>
    hash32(one, person) - hash32(other, person) || compareCodePoints(one, other);
  const compare = (a: number, b: number): number =>
    at(times, a) - at(times, b) ||
    byItem(at(people, a), ids[at(items, a)] ?? '', ids[at(items, b)] ?? '') ||
    at(weights, a) - at(weights, b);
  for (let person = 0; person < count; person += 1)
    sorted.subarray(at(starts, person), at(starts, person + 1)).sort(compare);
  return sorted;
}

/** Returns for each event the index of its person among all people by number. */
function personIndexes(people: Float64Array): { indexes: Uint32Array; count: number } {
  const sorted = Float64Array.from(new Set(people)).sort();
  const indexes = new Map<number, number>();
  for (const [index, person] of sorted.entries()) indexes.set(person, index);
  return { indexes: Uint32Array.from(people, (person) => indexes.get(person) ?? 0), count: sorted.length };
}

/** Returns how many people met each item; the events must be sorted by person. */
function peopleOfItems({ ids, items, people }: RawEvents, events: Uint32Array): Uint32Array {
  const counts = new Uint32Array(ids.length);
  const latest = new Float64Array(ids.length).fill(NaN);
  for (const event of events) {
    const item = at(items, event);
    if (at(latest, item) === at(people, event)) continue;
    latest[item] = at(people, event);
    counts[item] = at(counts, item) + 1;
  }
  return counts;
}

/** Returns the rank of each item, the most met first; ties are broken by id. Items that nobody met are last. */
function ranksOf(people: Uint32Array, ids: readonly string[]): Uint32Array {
  const order = Uint32Array.from(ids, (_, item) => item).sort(
    (a, b) => at(people, b) - at(people, a) || compareCodePoints(ids[a] ?? '', ids[b] ?? ''),
  );
  const ranks = new Uint32Array(ids.length);
  for (const [rank, item] of order.entries()) ranks[item] = rank;
  return ranks;
}

function personOffsets({ people }: RawEvents, events: Uint32Array): Uint32Array {
  const ends: number[] = [0];
  for (const [index, event] of events.entries()) {
    if (index > 0 && at(people, event) !== at(people, at(events, index - 1))) ends.push(index);
  }
  if (events.length > 0) ends.push(events.length);
  return Uint32Array.from(ends);
}
