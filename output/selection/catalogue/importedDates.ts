/**
 * Finds imports among the dates of a catalogue: items without dates of their own get the time of the import as their
 * date, however old they are.
 */
import { DAY_MS, MINUTE_MS } from '../../../domain/timeUnits.ts';
import type { SlotModel } from '../models/slotModel.ts';
import type { ItemColumns } from './itemColumns.ts';
import type { PopularityColumns } from './popularityColumns.ts';

/** The parts of a catalogue that tell when items were dated, and whether they were met. */
interface Source {
  readonly size: number;
  readonly columns: ItemColumns;
  readonly popularity: PopularityColumns;
  readonly model: Pick<SlotModel, 'peopleOf'> | null;
}

/** With this many items in a minute or more, they were not published one by one. */
const MIN_IMPORTED = 100;
/**
 * Shares of a minute's items from which on the minute counts as an import: new items are not met before their date, and
 * some of them are met by nobody for days.
 */
const MET_BEFORE = 0.5;
const MET = 0.9;

/**
 * Returns a test for dates that an import has set: those in a minute with at least {@link MIN_IMPORTED} dated items,
 * most of which were met on a day before their date, or nearly all of which have been met by now. The other items of
 * such a minute are not newer than these. Dates without seconds, such as those of a publisher who dates by the day, are
 * the items' own.
 * @param since the earliest date that is tested, in milliseconds since 1970
 */
export function importsSince(source: Source, since: number): (publishedAt: number) => boolean {
  const { size, columns, popularity, model } = source;
  // Minutes of the clock: an import does not fall apart as `since` moves on.
  const first = Math.floor(since / MINUTE_MS);
  const minuteOf = (at: number): number => Math.floor(at / MINUTE_MS) - first;
  const minutes = Math.max(1, minuteOf(Date.now()) + 1);
  const dated = new Uint32Array(minutes);
  const metBefore = new Uint32Array(minutes);
  const met = new Uint32Array(minutes);
  for (let slot = 0; slot < size; slot += 1) {
    const publishedAt = columns.publishedAt(slot);
    if (publishedAt < since || isWholeMinute(publishedAt)) continue;
    const minute = minuteOf(publishedAt);
    // A date in the future is beyond the arrays, which ignore it.
    dated[minute] = (dated[minute] ?? 0) + 1;
    const firstMetAt = popularity.firstMetAt(slot);
    // The model may be ready before the events of an import are counted.
    if (firstMetAt < Infinity || (model?.peopleOf(slot) ?? 0) > 0) met[minute] = (met[minute] ?? 0) + 1;
    if (firstMetAt + DAY_MS <= publishedAt) metBefore[minute] = (metBefore[minute] ?? 0) + 1;
  }
  return (publishedAt) => {
    if (isWholeMinute(publishedAt)) return false;
    const minute = minuteOf(publishedAt);
    const all = dated[minute] ?? 0;
    if (all < MIN_IMPORTED) return false;
    return (metBefore[minute] ?? 0) >= MET_BEFORE * all || (met[minute] ?? 0) >= MET * all;
  };
}

function isWholeMinute(at: number): boolean {
  return at % MINUTE_MS === 0;
}
