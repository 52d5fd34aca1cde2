/**
 * Counts the popularity of items with changed events (docs/decisions/output-popular.md), and their statistics
 * (docs/decisions/item-statistics.md).
 */
import type pg from 'pg';
import { runExclusively } from '../../db/advisoryLock.ts';
import { listEventTypes } from '../../db/events/eventTypes.ts';
import {
  advanceChange,
  listItemIds,
  listWaitingChanges,
  readChangedDays,
  readPeoplesDays,
  deleteChanges,
  type ChangedDays,
  type WaitingChange,
} from '../../db/popularity/waitingChanges.ts';
import { countItems, type Counting } from '../../db/popularity/countPopularity.ts';
import { countStatistics } from '../../db/statistics/countStatistics.ts';
import { isStatementTimeout } from '../../db/errors.ts';
import { dayOf } from '../../domain/events/changedDays.ts';
import { STATISTICS_DAYS } from '../../domain/items/statistics.ts';
import { COUNTED_DAYS } from '../../domain/output/popularity.ts';
import { weightBands } from '../../domain/events/popularityBands.ts';
import type { Logger } from '../../platform/process/logger.ts';
import { Pace } from '../../platform/process/concurrency/pace.ts';

/** Delay after which an event counts in the popularity of its item, as long as few events arrive. */
export const POPULARITY_MS = 1_000;
/** Maximum number of changes per pass: each is a request with up to a thousand items. */
const CHANGES = 5_000;
/** Maximum number of items named by these changes, since a pass keeps them in memory. */
const MAX_NAMED_ITEMS = 200_000;
/**
 * Number of items in the first part of a pass, and the maximum of a part: a hundred popular items may take half a
 * second.
 */
const PART_ITEMS = { first: 5, most: 100 };
/**
 * Target duration of counting a part: when one takes longer, the next has fewer items. Answers on the same machine are
 * slower for as long as a part takes.
 */
const PART_MS = 25;
/** Items per pass for a change of all items. */
const ITEMS_PER_PASS = 1_000;
/**
 * Length of the pause after a statement relative to its duration: counting uses a tenth of a core at most, at any
 * moment.
 */
export const REST_FACTOR = 9;

export interface PopularityDeps {
  pool: pg.Pool;
  logger: Logger;
}

/** Returns a pass for the timer. */
export function popularityCounter(deps: PopularityDeps, pace: Pace): () => Promise<void> {
  return async () => {
    await runExclusively(deps.pool, 'popularity', async () => {
      await countChanges(deps, pace);
    });
  };
}

/**
 * Counts the oldest changes. A change is removed after its items are counted: a crash counts them again.
 * @returns the number of changes that were handled
 */
export async function countChanges(deps: PopularityDeps, pace: Pace = new Pace(0)): Promise<number> {
  const { pool } = deps;
  const waiting = withinBounds(await listWaitingChanges(pool, CHANGES));
  const ofItems = waiting.filter(({ items }) => items !== null);
  await countDays(deps, await pace.work(() => readChangedDays(pool, ofItems)), pace);
  if (!pace.isOver) await deleteChanges(pool, ofItems);
  for (const change of waiting) {
    if (pace.isOver) break;
    if (change.identityIds !== null) {
      await countPeople(deps, change.projectId, change.identityIds, pace);
      if (!pace.isOver) await deleteChanges(pool, [change]);
    } else if (change.items === null) await countAll(deps, change, pace);
  }
  return waiting.length;
}

function withinBounds(waiting: readonly WaitingChange[]): readonly WaitingChange[] {
  let named = 0;
  const end = waiting.findIndex(({ items }, at) => (named += items ?? ITEMS_PER_PASS) > MAX_NAMED_ITEMS && at > 0);
  return end === -1 ? waiting : waiting.slice(0, end);
}

/**
 * Counts what people did. Those with more events than a statement reads in its time must not hold up the others: each of
 * the people is then read alone, so that one such person costs two timeouts, however many people the change has. Items
 * are counted once for all of them.
 */
async function countPeople(
  deps: PopularityDeps,
  projectId: string,
  identityIds: readonly string[],
  pace: Pace,
): Promise<void> {
  const read = (ids: readonly string[]) => pace.work(() => readDaysInTime(deps, projectId, ids));
  const days = await read(identityIds);
  if (days !== null) return countDays(deps, days, pace);
  if (identityIds.length <= 1) return;
  const ofEach: ChangedDays[] = [];
  for (const id of identityIds) {
    if (pace.isOver) return;
    ofEach.push(...((await read([id])) ?? []));
  }
  return countDays(deps, unitedDays(ofEach), pace);
}

/** Returns one range of days for each item: the one from the first to the last day of all its ranges. */
function unitedDays(changed: readonly ChangedDays[]): ChangedDays[] {
  const united = new Map<string, ChangedDays>();
  for (const one of changed) {
    const key = `${one.ofStates}/${one.itemId}`;
    const known = united.get(key) ?? one;
    const firstDay = Math.min(known.firstDay, one.firstDay);
    united.set(key, { ...one, firstDay, lastDay: Math.max(known.lastDay, one.lastDay) });
  }
  return [...united.values()];
}

/** Returns null when there is too much to read. */
async function readDaysInTime(
  { pool, logger }: PopularityDeps,
  projectId: string,
  identityIds: readonly string[],
): Promise<ChangedDays[] | null> {
  try {
    return await readPeoplesDays(pool, projectId, identityIds);
  } catch (error) {
    if (!isStatementTimeout(error)) throw error;
    if (identityIds.length <= 1)
      logger.error(
        { err: error, projectId, identity: identityIds[0] },
        'reading the events of a person takes too long: they are not counted for another place',
      );
    return null;
  }
}

/** Counts the next items of a change of all items; the change stays until all of them are counted. */
async function countAll(deps: PopularityDeps, change: WaitingChange, pace: Pace): Promise<void> {
  const { projectId, afterItem } = change;
  const ids = await listItemIds(deps.pool, projectId, afterItem, ITEMS_PER_PASS);
  const days = ids.flatMap((itemId) =>
    [false, true].map((ofStates) => ({ projectId, ofStates, itemId, firstDay: 0, lastDay: 2 ** 31 - 1 })),
  );
  await countDays(deps, days, pace);
  if (pace.isOver) return;
  const last = ids.at(-1);
  if (last !== undefined && ids.length === ITEMS_PER_PASS) await advanceChange(deps.pool, change, last);
  else await deleteChanges(deps.pool, [change]);
}

/** Parameters of counting some items. */
interface CountingParameters extends Counting {
  stateTypes: readonly string[];
}

async function countDays(deps: PopularityDeps, changed: readonly ChangedDays[], pace: Pace): Promise<void> {
  const today = dayOf(new Date());
  const oldestDay = today - COUNTED_DAYS;
  // Clocks of senders may be ahead by minutes (domain/events/occurredAt.ts).
  const bounded = changed.map((one) => ({ ...one, lastDay: Math.min(one.lastDay, today + 1) }));
  for (const [projectId, ofProject] of Map.groupBy(bounded, (one) => one.projectId)) {
    const types = await listEventTypes(deps.pool, projectId);
    const bands = weightBands(types);
    const stateTypes = types.filter(({ mode }) => mode === 'state').map(({ code }) => code);
    for (const [ofStates, items] of Map.groupBy(ofProject, (one) => one.ofStates))
      await countInParts(deps, items, { projectId, ofStates, bands, stateTypes, oldestDay }, pace);
  }
}

async function countInParts(
  deps: PopularityDeps,
  items: readonly ChangedDays[],
  counting: CountingParameters,
  pace: Pace,
): Promise<void> {
  let size = PART_ITEMS.first;
  for (let at = 0; at < items.length && !pace.isOver;) {
    const part = items.slice(at, at + size);
    const started = performance.now();
    await pace.work(async () => {
      await countPart(deps, part, counting);
      size = sizeAfter(size, performance.now() - started);
    });
    at += part.length;
  }
}

/** Returns the size of the next part; one item may have as many events as a hundred others. */
function sizeAfter(size: number, ms: number): number {
  return Math.max(1, Math.min(PART_ITEMS.most, 2 * size, Math.round((size * PART_MS) / Math.max(1, ms))));
}

/** Counts one part. Items with more events than a statement can count in its time must not hold up the others. */
async function countPart(
  deps: PopularityDeps,
  items: readonly ChangedDays[],
  counting: CountingParameters,
): Promise<void> {
  try {
    await countItems(deps.pool, items, counting);
    await countStatistics(deps.pool, items, { ...counting, oldestDay: dayOf(new Date()) - STATISTICS_DAYS });
  } catch (error) {
    if (!isStatementTimeout(error)) throw error;
    if (items.length <= 1) {
      const { projectId } = counting;
      deps.logger.error(
        { err: error, projectId, item: items[0]?.itemId },
        'counting the events of an item takes too long',
      );
      return;
    }
    const half = Math.ceil(items.length / 2);
    await countPart(deps, items.slice(0, half), counting);
    await countPart(deps, items.slice(half), counting);
  }
}
