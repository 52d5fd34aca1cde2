/** The generator: day after day, in order of time. */
import { createChance, type Chance } from './chance.ts';
import { createPerson, type Person } from './people.ts';
import { daysUntil, momentOf, type Day } from './rhythm.ts';
import { crawl, createRobot, type RobotKind } from './robots.ts';
import { arrive } from './sources.ts';
import { Trail } from './trail.ts';
import type { TagBatch, TrafficRecord, TrafficOptions } from './types.ts';
import { walk } from './visit.ts';
import { VISIT_PAUSE_MS } from '../../domain/visits/visitPause.ts';

/** A tag sends before it has 50 events. */
const EVENTS_OF_A_BATCH = 40;
/** The longest visit plus the pause after it: after this time, every visit is over. */
const MAX_MS = 90 * 60_000;
/** Longer than the pause that ends a visit. */
const PAUSE_MS = VISIT_PAUSE_MS + 60_000;

interface Regular {
  person: Person;
  chance: Chance;
  visits: number;
  /** Number of remaining visits. */
  left: number;
  /** End of the last visit. */
  lastAt: number;
}

interface Calendar {
  options: TrafficOptions;
  /** Returning people by the index of the day. */
  returning: Map<number, Regular[]>;
  isOver(at: number): boolean;
}

/**
 * Yields everything that is sent in the period, in order of time. Only one day is in memory, with the people who may
 * return. Events after the end (such as a later refund) are left out.
 */
export function* generateTraffic(options: TrafficOptions): Generator<TrafficRecord, void> {
  const calendar: Calendar = { options, returning: new Map(), isOver: (at) => at >= options.until };
  let waiting: TrafficRecord[] = [];
  for (const [index, day] of daysUntil(options.until, options.days, options.timezone).entries()) {
    waiting.push(...recordsOf(day, index, calendar));
    waiting.sort((a, b) => a.at - b.at);
    const later = waiting.findIndex(({ at }) => at >= day.to);
    const due = later === -1 ? waiting : waiting.slice(0, later);
    waiting = later === -1 ? [] : waiting.slice(later);
    yield* due.filter(({ at }) => !calendar.isOver(at));
  }
}

function recordsOf(day: Day, index: number, calendar: Calendar): TrafficRecord[] {
  const { seed, visitorsPerDay } = calendar.options;
  const chance = createChance(seed, 'day', index);
  const fresh = Math.round(visitorsPerDay * day.strength * (0.9 + 0.2 * chance.next()));
  const regulars = Array.from({ length: fresh }, (_, number) => newcomer(seed, index, number));
  const people = [...(calendar.returning.get(index) ?? []), ...regulars].flatMap((regular) =>
    visitOf(regular, { day, index, calendar }),
  );
  calendar.returning.delete(index);
  return [...people, ...robotsOf(day, index, calendar)];
}

function newcomer(seed: number, day: number, number: number): Regular {
  const chance = createChance(seed, 'visitor', day, number);
  const left = chance.weighted([
    [58, 0],
    [27, chance.between(1, 2)],
    [12, chance.between(2, 6)],
    [3, chance.between(6, 15)],
  ]);
  return { person: createPerson(chance), chance, visits: 0, left, lastAt: -Infinity };
}

function visitOf(
  regular: Regular,
  { day, index, calendar }: { day: Day; index: number; calendar: Calendar },
): TrafficRecord[] {
  const { person, chance } = regular;
  const at = Math.max(momentOf(day, chance), regular.lastAt + PAUSE_MS);
  if (calendar.isOver(at + MAX_MS)) return [];
  const trail = new Trail({ origin: calendar.options.origin, prefix: String(regular.visits), at });
  walk(trail, { person, arrival: arrive(chance, regular.visits > 0), chance, visitIndex: regular.visits });
  regular.visits += 1;
  regular.lastAt = trail.at;
  if (regular.left > 0) scheduleReturn(regular, index, calendar);
  return [...batchesOf(trail, person), ...trail.serverFacts];
}

/** Schedules a return: mostly within days, at most after some weeks. */
function scheduleReturn(regular: Regular, today: number, { returning }: Calendar): void {
  regular.left -= 1;
  const day = today + 1 + regular.chance.times(0.8, 25);
  returning.set(day, [...(returning.get(day) ?? []), regular]);
}

function robotsOf(day: Day, index: number, calendar: Calendar): TrafficRecord[] {
  const { seed, visitorsPerDay } = calendar.options;
  const chance = createChance(seed, 'robots', index);
  const kinds: RobotKind[] = Array.from({ length: Math.ceil(visitorsPerDay * 0.04) }, () => 'crawler');
  if (index % 4 === 1) kinds.push('plain');
  if (index % 30 === 1) kinds.push('frequent');
  return kinds.flatMap((kind) => {
    const robot = createRobot(kind, chance);
    const at = momentOf(day, chance);
    if (calendar.isOver(at + MAX_MS)) return [];
    const trail = new Trail({ origin: calendar.options.origin, prefix: kind, at });
    crawl(trail, kind, chance);
    return batchesOf(trail, robot);
  });
}

function batchesOf({ events }: Trail, { visitorId, ip, device, network, runsScripts }: Person): TagBatch[] {
  const batches: TagBatch[] = [];
  for (let start = 0; start < events.length; start += EVENTS_OF_A_BATCH) {
    const part = events.slice(start, start + EVENTS_OF_A_BATCH);
    batches.push({
      kind: 'collect',
      at: part.at(-1)?.at ?? 0,
      visitorId,
      ip,
      userAgent: device.userAgent,
      device: runsScripts
        ? { screen: device.screen, window: device.window, language: network.language, timezone: network.timezone }
        : null,
      events: part,
    });
  }
  return batches;
}
