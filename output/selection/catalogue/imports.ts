/**
 * Finds imports among the dates of a catalogue: items without dates of their own get the time of the import as their
 * date, however old they are.
 */
import type { SlotModel } from '../models/slotModel.ts';
import type { ItemColumns } from './itemColumns.ts';
import type { PopularityColumns } from './popularityColumns.ts';

/** What tells when items were dated and whether they were met, as the catalogue has it. */
interface Source {
  readonly size: number;
  readonly columns: ItemColumns;
  readonly popularity: PopularityColumns;
  readonly model: Pick<SlotModel, 'peopleOf'> | null;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Number of items in a minute from which they were not published one by one. */
const MIN_IMPORTED = 100;
/** Shares of a minute's items: what is new has not been met before its date, and some of it is met by nobody for days. */
const MET_BEFORE = 0.5;
const MET = 0.9;

/**
 * Returns a test for dates that an import has set: those in a minute that dates at least {@link MIN_IMPORTED} items, of
 * which most were met on a day before, or nearly all have been met by now. The others of such a minute are not newer
 * than these.
 * @param since the earliest date that is tested, in milliseconds since 1970
 */
export function importsSince(source: Source, since: number): (publishedAt: number) => boolean {
  const { size, columns, popularity, model } = source;
  const minutes = Math.max(1, Math.ceil((Date.now() - since) / MINUTE_MS) + 1);
  const minuteOf = (publishedAt: number): number => Math.floor((publishedAt - since) / MINUTE_MS);
  const dated = new Uint32Array(minutes);
  const metBefore = new Uint32Array(minutes);
  const met = new Uint32Array(minutes);
  for (let slot = 0; slot < size; slot += 1) {
    const publishedAt = columns.publishedAt(slot);
    if (publishedAt < since) continue;
    const minute = minuteOf(publishedAt);
    // A date in the future is beyond the arrays, which ignore it.
    dated[minute] = (dated[minute] ?? 0) + 1;
    const firstMetAt = popularity.firstMetAt(slot);
    // The model may be ready before the events of an import are counted.
    if (firstMetAt < Infinity || (model?.peopleOf(slot) ?? 0) > 0) met[minute] = (met[minute] ?? 0) + 1;
    if (firstMetAt + DAY_MS <= publishedAt) metBefore[minute] = (metBefore[minute] ?? 0) + 1;
  }
  return (publishedAt) => {
    const minute = minuteOf(publishedAt);
    const all = dated[minute] ?? 0;
    if (all < MIN_IMPORTED) return false;
    return (metBefore[minute] ?? 0) >= MET_BEFORE * all || (met[minute] ?? 0) >= MET * all;
  };
}
