/** Counts the popularity of items whose events have changed (docs/decisions/output.md). */
import type pg from 'pg';
import { runAlone } from '../db/advisoryLock.ts';
import { listEventTypes } from '../db/eventTypes.ts';
import {
  advanceChange,
  listItemIds,
  listWaitingChanges,
  readChangedDays,
  readPeoplesDays,
  removeChanges,
  type ChangedDays,
  type WaitingChange,
} from '../db/popularity/changes.ts';
import { countItems } from '../db/popularity/count.ts';
import { isStatementTimeout } from '../db/errors.ts';
import { dayOf } from '../domain/eventChanges.ts';
import { COUNTED_DAYS } from '../domain/output/popularity.ts';
import { weightBands } from '../domain/popularityBands.ts';
import type { Logger } from '../process/logger.ts';

/** Changes of one pass: each is a request with up to a thousand items. */
const CHANGES = 5_000;
/** Items that they may name altogether: what a pass keeps in memory. */
const NAMED = 200_000;
/** Items of one statement. */
const COUNTED = 100;
/** Of a change of all items, so many in a pass. */
const OF_ALL = 1_000;
/** Each second of counting is followed by so many of rest: the intake of events has the database to itself. */
const REST_FACTOR = 9;
const LONGEST_REST_MS = 600_000;

export interface PopularityDeps {
  pool: pg.Pool;
  logger: Logger;
}

/** A pass for a clock: it does nothing while it rests from the one before. */
export function popularityCounter(deps: PopularityDeps, stopped: () => boolean): () => Promise<void> {
  let restsUntil = 0;
  return async () => {
    const started = performance.now();
    if (started < restsUntil) return;
    await runAlone(deps.pool, 'popularity', async () => {
      await countChanges(deps, stopped);
    });
    const took = performance.now() - started;
    restsUntil = performance.now() + Math.min(LONGEST_REST_MS, took * REST_FACTOR);
  };
}

/**
 * Counts what has waited the longest. A change is removed once its items are counted: a crash counts them again.
 * @returns how many changes it took up
 */
export async function countChanges(deps: PopularityDeps, stopped: () => boolean = () => false): Promise<number> {
  const { pool } = deps;
  const waiting = withinBounds(await listWaitingChanges(pool, CHANGES));
  const ofItems = waiting.filter(({ items }) => items !== null);
  await countDays(deps, await readChangedDays(pool, ofItems), stopped);
  if (!stopped()) await removeChanges(pool, ofItems);
  for (const change of waiting) {
    if (stopped()) break;
    if (change.identityIds !== null) await countPeople(deps, change, stopped);
    else if (change.items === null) await countAll(deps, change, stopped);
  }
  return waiting.length;
}

function withinBounds(waiting: readonly WaitingChange[]): readonly WaitingChange[] {
  let named = 0;
  const end = waiting.findIndex(({ items }, at) => (named += items ?? OF_ALL) > NAMED && at > 0);
  return end === -1 ? waiting : waiting.slice(0, end);
}

async function countPeople(deps: PopularityDeps, change: WaitingChange, stopped: () => boolean): Promise<void> {
  await countDays(deps, await readPeoplesDays(deps.pool, change.projectId, change.identityIds ?? []), stopped);
  if (!stopped()) await removeChanges(deps.pool, [change]);
}

/** The next of all items; the change stays until they have all had their turn. */
async function countAll(deps: PopularityDeps, change: WaitingChange, stopped: () => boolean): Promise<void> {
  const { projectId, afterItem } = change;
  const ids = await listItemIds(deps.pool, projectId, afterItem, OF_ALL);
  const days = ids.flatMap((itemId) =>
    [false, true].map((ofStates) => ({ projectId, ofStates, itemId, firstDay: 0, lastDay: 2 ** 31 - 1 })),
  );
  await countDays(deps, days, stopped);
  if (stopped()) return;
  const last = ids.at(-1);
  if (last !== undefined && ids.length === OF_ALL) await advanceChange(deps.pool, change, last);
  else await removeChanges(deps.pool, [change]);
}

async function countDays(deps: PopularityDeps, changed: readonly ChangedDays[], stopped: () => boolean): Promise<void> {
  const today = dayOf(new Date());
  const oldestDay = today - COUNTED_DAYS;
  // Clocks may be ahead by minutes (domain/occurredAt.ts).
  const bounded = changed.map((one) => ({ ...one, lastDay: Math.min(one.lastDay, today + 1) }));
  for (const [projectId, ofProject] of Map.groupBy(bounded, (one) => one.projectId)) {
    const bands = weightBands(await listEventTypes(deps.pool, projectId));
    for (const [ofStates, items] of Map.groupBy(ofProject, (one) => one.ofStates))
      for (let at = 0; at < items.length && !stopped(); at += COUNTED)
        await countPart(deps, items.slice(at, at + COUNTED), { projectId, ofStates, bands, oldestDay });
  }
}

/** Items with more events than a statement can count in its time must not keep the others waiting. */
async function countPart(
  deps: PopularityDeps,
  items: readonly ChangedDays[],
  counting: Parameters<typeof countItems>[2],
): Promise<void> {
  try {
    await countItems(deps.pool, items, counting);
  } catch (error) {
    if (!isStatementTimeout(error)) throw error;
    if (items.length <= 1) {
      const { projectId } = counting;
      deps.logger.error(
        { err: error, projectId, item: items[0]?.itemId },
        'the popularity of an item takes too long to count',
      );
      return;
    }
    const half = Math.ceil(items.length / 2);
    await countPart(deps, items.slice(0, half), counting);
    await countPart(deps, items.slice(half), counting);
  }
}
