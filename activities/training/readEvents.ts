/** Reads the data for a training from the tables into a file. */
import type pg from 'pg';
import {
  countEventRows,
  inSnapshot,
  readDeletedItems,
  readEventRows,
  readForgotten,
  readPositiveTypes,
  type EventRow,
  type PositiveType,
} from '../../db/training/events.ts';
import { engagement } from '../../domain/output/itemSignals.ts';
import { EventColumns, type RawEvents } from '../../output/training/eventColumns.ts';

/**
 * Maximum number of events to learn from: some 200 MB while they are read, and three times that while the model is
 * solved.
 */
export const MAX_EVENTS = 5_000_000;

export interface ReadData {
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
): Promise<ReadData> {
  return inSnapshot(pool, async (client) => {
    const rowsRead = await countEventRows(client, projectId);
    const types = await readPositiveTypes(client, projectId);
    const columns = new EventColumns();
    const take = taker(columns, types);
    await readEventRows(client, projectId, { types, sampleOf: sampleOf ?? sampleFor(rowsRead) }, (rows) => {
      signal.throwIfAborted();
      take(rows);
    });
    const forgotten = await readForgotten(client, projectId);
    const deleted = await readDeletedItems(client, projectId, columns.ids());
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

function taker(columns: EventColumns, types: readonly PositiveType[]): (rows: readonly EventRow[]) => void {
  const byCode = new Map(types.map((type) => [type.code, type]));
  return (rows) => {
    for (const [person, item, code, value, occurredAt, orderId] of rows) {
      const type = byCode.get(code);
      const weight = type ? type.weight * engagement(type.valueMap, value) : 0;
      if (weight > 0) columns.add({ person, item, occurredAt, weight, orderId: type?.isPurchase ? orderId : null });
    }
  };
}
