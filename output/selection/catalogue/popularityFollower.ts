/** Loads the popularity of items into catalogues, and follows the counts as they change. */
import type pg from 'pg';
import { listCounted, readItemDays, type ItemDays } from '../../../db/popularity/readPopularity.ts';
import { dayOf } from '../../../domain/events/changedDays.ts';
import { COUNTED_DAYS, sumsOf } from '../../../domain/output/popularity.ts';
import type { Catalogue } from './catalogue.ts';

export interface PopularityFollower {
  /**
   * Applies what was counted since the last call.
   * @param reads the rest follows with the next call
   * @throws when the database does not answer
   */
  follow(projectId: string, catalogue: Catalogue, reads: CountReads): Promise<void>;
}

export interface CountReads {
  /** Items per read: a year of an item takes at most 40 KB, and PostgreSQL 0.2 ms. */
  items: number;
  /** Maximum number of reads. */
  most: number;
}

/** For a catalogue that is loaded, for which questions wait. */
export const LOADING: CountReads = { items: 500, most: Infinity };
/**
 * For one turn of following. The reads are small, because other questions are answered meanwhile. Twice a second, 400
 * items are more than the counter counts, and the counts of 100,000 items are renewed within five minutes.
 */
export const FOLLOWING: CountReads = { items: 50, most: 4 };
/** Interval after which all items are read again, since periods move on although nothing happens. */
const RENEWED_MS = 30 * 60_000;
/** Maximum number of counted items that the catalogue does not have yet. */
const MAX_UNPLACED = 10_000;

interface Following {
  version: string;
  /** Items whose counts were read before the items themselves. */
  unplaced: Set<string>;
  beganAt: number;
}

export function createPopularityFollower(pool: pg.Pool): PopularityFollower {
  const following = new WeakMap<Catalogue, Following>();
  return {
    async follow(projectId, catalogue, { items, most }) {
      const known = following.get(catalogue);
      const isOld = known === undefined || performance.now() - known.beganAt > RENEWED_MS;
      const state = isOld ? { version: '0', unplaced: new Set<string>(), beganAt: performance.now() } : known;
      following.set(catalogue, state);
      for (let read = 0; read < most; read += 1) {
        const counted = await listCounted(pool, projectId, state.version, items);
        const late = [...state.unplaced].filter((id) => catalogue.slotOf(id) !== undefined).slice(0, items);
        const ids = [...counted.map(({ itemId }) => itemId), ...late];
        place(
          catalogue,
          ids,
          await readItemDays(pool, projectId, ids, dayOf(new Date()) - COUNTED_DAYS),
          state.unplaced,
        );
        state.version = counted.at(-1)?.version ?? state.version;
        if (counted.length < items) return;
      }
    },
  };
}

/** Sets the counts of items; an item that has lost all its counts has no days. */
function place(
  catalogue: Catalogue,
  ids: readonly string[],
  counted: readonly ItemDays[],
  unplaced: Set<string>,
): void {
  const now = Date.now();
  const byId = new Map(counted.map((one) => [one.itemId, one]));
  for (const id of ids) {
    const slot = catalogue.slotOf(id);
    if (slot === undefined) {
      if (unplaced.size < MAX_UNPLACED) unplaced.add(id);
      continue;
    }
    unplaced.delete(id);
    const { days, scores } = byId.get(id) ?? { days: [], scores: [] };
    catalogue.popularity.set(slot, sumsOf(days, scores, now), days.length > 0 ? Math.min(...days) : undefined);
  }
}
