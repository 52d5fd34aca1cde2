/** Reads a file of (user, item, time) rows, the format of public data sets. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { arrangeEvents } from '../../../output/training/rows/arrangeEvents.ts';
import { EventColumns } from '../../../output/training/rows/eventColumns.ts';
import type { Interactions } from '../../../output/training/rows/interactions.ts';

export interface TableForm {
  /**
   * Columns of user, item and time, from 0; null: by the names in the first line, or the first three. A first line
   * without a time is a header.
   */
  columns: readonly number[] | null;
}

const NAMES = [/^user/i, /^(item|movie|track|product|article)/i, /^(time|date|occurred)/i];
/** As seconds, a larger number would be after the year 5138. */
const MIN_MILLISECONDS = 1e11;

/** @throws {Error} at the first line without user, item and time */
export async function readTable(path: string, { columns }: TableForm): Promise<Interactions> {
  const events = new EventColumns();
  const people = new Map<string, number>();
  let columnIndexes = columns;
  let line = 0;
  for await (const text of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    line += 1;
    if (text.trim() === '') continue;
    const cells = cellsOf(text);
    if (columnIndexes === null) {
      const named = NAMES.map((name) => cells.findIndex((cell) => name.test(cell)));
      const isHead = named.every((place) => place >= 0);
      columnIndexes = isHead ? named : [0, 1, 2];
      if (isHead) continue;
    }
    const [user, item, time] = columnIndexes.map((place) => cells[place]?.trim() ?? '');
    const occurredAt = momentOf(time ?? '');
    if (line === 1 && Number.isNaN(occurredAt)) continue;
    if (!user || !item || Number.isNaN(occurredAt)) throw new Error(`line ${line} has no user, item and time`);
    const person = people.get(user) ?? people.size + 1;
    people.set(user, person);
    events.add({ person, item, occurredAt, weight: 1, orderId: null });
  }
  return arrangeEvents(events.take(), new Set(), Infinity);
}

export interface ItemTexts {
  title: string;
  description: string | null;
}

/**
 * Reads a file with the id, the title and perhaps further words of each item, as CSV without commas in its cells or
 * TSV. A header row needs no special treatment: it is read as an item that no event names.
 */
export async function readItemTexts(path: string): Promise<Map<string, ItemTexts>> {
  const texts = new Map<string, ItemTexts>();
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    const [id, title, ...words] = cellsOf(line).map((cell) => cell.trim());
    if (id && title) texts.set(id, { title, description: words.filter(Boolean).join(', ') || null });
  }
  return texts;
}

function cellsOf(line: string): string[] {
  return line
    .split(line.includes('\t') ? '\t' : line.includes('::') ? '::' : ',')
    .map((cell) => cell.replaceAll('"', ''));
}

function momentOf(time: string): number {
  if (!/^\d+(\.\d+)?$/.test(time)) return Date.parse(time);
  return Number(time) > MIN_MILLISECONDS ? Number(time) : Number(time) * 1000;
}
