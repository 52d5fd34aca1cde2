/** Generates, from a seed, the events of people whose tastes, seasons and habits are known. */
import { arrangeEvents } from '../../../output/training/rows/arrangeEvents.ts';
import { EventColumns } from '../../../output/training/rows/eventColumns.ts';
import type { Interactions } from '../../../output/training/rows/interactions.ts';

export interface Planting {
  people: number;
  items: number;
  /** Number of events of each person. */
  events: number;
  /** Number of groups of items; each person has two, the second of which replaces the first over time. */
  groups: number;
  days: number;
  seed?: number;
}

export interface PlantedEvent {
  person: number;
  item: string;
  occurredAt: number;
}

const DAY_MS = 86_400_000;
/** 1 September 2026. */
const BEGIN = Date.UTC(2026, 8, 1);
const SESSION = 4;
/** Shares of events that follow the series, depend on the season, or are random. */
const FOLLOWS = 0.45;
const SEASONAL = 0.15;
const BY_CHANCE = 0.1;

/** Mulberry32: good enough for tests, and the same on every machine. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Yields sessions of a few events. The items of a group form a series: an item is often followed by the next. */
export function* plantedEvents({ people, items, events, groups, days, seed = 1 }: Planting): Generator<PlantedEvent> {
  const random = randomOf(seed);
  const size = Math.floor(items / groups);
  // Some items of a group occur far more often than others.
  const inGroup = (): number => Math.floor(size * random() ** 2);
  for (let person = 1; person <= people; person += 1) {
    const former = Math.floor(random() * groups);
    const later = Math.floor(random() * groups);
    let item = former * size + inGroup();
    let time = BEGIN + random() * days * DAY_MS * 0.4;
    for (let event = 0; event < events; event += 1) {
      if (event % SESSION === 0) time += random() * ((days * 0.6 * DAY_MS * SESSION) / events) * 2;
      const group = event * 2 < events ? former : later;
      const season = Math.floor(((time - BEGIN) / (days * DAY_MS)) * groups) % groups;
      const dice = random();
      if (event % SESSION !== 0 && dice < FOLLOWS) item = Math.floor(item / size) * size + ((item + 1) % size);
      else if (dice < FOLLOWS + SEASONAL) item = season * size + inGroup();
      else if (dice < FOLLOWS + SEASONAL + BY_CHANCE) item = Math.floor(random() * size * groups);
      else item = group * size + inGroup();
      time += 60_000;
      yield { person, item: `i-${item}`, occurredAt: Math.floor(time) };
    }
  }
}

export function plantedInteractions(planting: Planting): Interactions {
  const columns = new EventColumns();
  for (const event of plantedEvents(planting)) columns.add({ ...event, weight: 1, orderId: null });
  return arrangeEvents(columns.take(), new Set(), Infinity);
}
