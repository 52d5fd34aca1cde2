/** Reads the data for a training from the tables into a file. */
import type pg from 'pg';
import {
  countEventRows,
  inSnapshot,
  readCountedPeople,
  readDeletedItems,
  readEventRows,
  readForgotten,
  readPositiveTypes,
  type EventRow,
  type PositiveType,
  type ReadPace,
} from '../../db/training/trainingEvents.ts';
import { engagement } from '../../domain/output/itemSignals.ts';
import { EventColumns, type RawEvents } from '../../output/training/rows/eventColumns.ts';
import { Pace } from '../../platform/process/concurrency/pace.ts';

/**
 * Maximum number of events to learn from: some 200 MB while they are read, and three times that while the model is
 * solved.
 */
export const MAX_EVENTS = 5_000_000;
/**
 * Length of the pause after each piece of the read relative to its duration: the read takes a third of a core, and 20
 * to 40 s for a million events.
 */
const REST_FACTOR = 2;
/** PostgreSQL ends a transaction that is idle for 30 s (db/pool.ts). */
const MAX_REST_MS = 5_000;

export interface TrainingEvents {
  events: RawEvents;
  /** Items that are left out of training. */
  deleted: string[];
  forgotten: { rowIds: string[]; items: string[] };
  /** Number of the project's event rows, of all types. */
  rowsRead: number;
}

/** @param sampleOf reads one person in this many; null: as many people as {@link MAX_EVENTS} allow */
export function readProjectEvents(
  pool: pg.Pool,
  projectId: string,
  sampleOf: number | null,
  signal: AbortSignal,
): Promise<TrainingEvents> {
  return inSnapshot(pool, async (client) => {
    const rests = new Pace(REST_FACTOR, { maxRestMs: MAX_REST_MS });
    const pace: ReadPace = {
      async work(piece) {
        signal.throwIfAborted();
        return rests.work(piece);
      },
    };
    const rowsRead = await countEventRows(client, projectId, pace);
    const types = await readPositiveTypes(client, projectId);
    const columns = new EventColumns();
    const take = rowAppender(columns, types);
    const people = await readCountedPeople(client, projectId, { sampleOf: sampleOf ?? sampleFor(rowsRead), pace });
    await readEventRows(client, projectId, { types, people, pace }, take);
    const forgotten = await readForgotten(client, projectId);
    const deleted = await readDeletedItems(client, projectId, columns.ids(), pace);
    return { events: columns.take(), deleted, forgotten, rowsRead };
  });
}

/**
 * Samples people instead of events: each person's data is used completely, and the deletion of one changes nobody
 * else's.
 */
export function sampleFor(rows: number): number {
  return Math.max(1, Math.ceil(rows / MAX_EVENTS));
}

function rowAppender(columns: EventColumns, types: readonly PositiveType[]): (rows: readonly EventRow[]) => void {
  const byCode = new Map(types.map((type) => [type.code, type]));
  return (rows) => {
    for (const [person, item, code, value, occurredAt, orderId] of rows) {
      const type = byCode.get(code);
      const weight = type ? type.weight * engagement(type.valueMap, value) : 0;
      if (weight > 0) columns.add({ person, item, occurredAt, weight, orderId: type?.isPurchase ? orderId : null });
    }
  };
}
