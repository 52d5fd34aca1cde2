/** Loads the popularity of items into catalogues, and follows the counts as they change. */
import type pg from 'pg';
import { listCounted, readItemDays, type ItemDays } from '../../../db/popularity/readPopularity.ts';
import { dayOf } from '../../../domain/events/changedDays.ts';
import { COUNTED_DAYS, sumsOf } from '../../../domain/output/popularity.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';

export interface PopularityFollower {
  /**
   * Applies what was counted since the last call.
   * @param reads limits what is read; the rest follows with the next call
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

/** For a catalogue that is being loaded while questions wait for it. */
export const LOADING: CountReads = { items: 500, most: Infinity };
/**
 * For one turn of following. The reads are small, because other questions are answered meanwhile. New counts come
 * first. The counts of 100,000 items are renewed within ten minutes while few others change.
 */
export const FOLLOWING: CountReads = { items: 50, most: 4 };
/** Interval after which all items are read again, since periods move on even when nothing happens. */
const RENEWED_MS = 30 * 60_000;
/** Maximum number of counted items that the catalogue does not have yet. */
const MAX_EARLY = 10_000;

/** The versions of the counts that a renewal still has to read again; later versions were read when they were new. */
interface Renewal {
  after: string;
  until: string;
}

interface Following {
  /** Version up to which new counts have been read. */
  version: string;
  /** Null between two renewals. */
  renewal: Renewal | null;
  /** Beginning of the latest renewal, or of the first read. */
  renewedAt: number;
  /** Items whose counts were read before the items themselves. */
  early: Set<string>;
}

export function createPopularityFollower(pool: pg.Pool): PopularityFollower {
  const following = new WeakMap<Catalogue, Following>();
  return {
    async follow(projectId, catalogue, { items, most }) {
      const state = following.get(catalogue) ?? beginning();
      following.set(catalogue, state);
      let isBehind = true;
      for (let read = 0; read < most; read += 1) {
        const after = isBehind ? state.version : state.renewal?.after;
        if (after === undefined) return;
        const counted = await listCounted(pool, projectId, after, items);
        const late = [...state.early].filter((id) => catalogue.slotOf(id) !== undefined).slice(0, items);
        const ids = [...counted.map(({ itemId }) => itemId), ...late];
        const days = await readItemDays(pool, projectId, ids, dayOf(new Date()) - COUNTED_DAYS);
        setCounts(catalogue, ids, days, state.early);
        const last = counted.at(-1)?.version ?? after;
        const isEnd = counted.length < items;
        if (!isBehind) {
          state.renewal = isEnd ? null : renewalAfter(last, state.renewal);
          continue;
        }
        state.version = last;
        isBehind = !isEnd;
        if (isEnd) beginRenewal(state);
      }
    },
  };
}

function beginning(): Following {
  return { version: '0', renewal: null, renewedAt: performance.now(), early: new Set() };
}

/** Begins a renewal if it is time for one, and the previous one has ended. */
function beginRenewal(state: Following): void {
  if (state.renewal !== null || performance.now() - state.renewedAt <= RENEWED_MS) return;
  state.renewal = { after: '0', until: state.version };
  state.renewedAt = performance.now();
  state.early.clear();
}

/** Returns what is left of a renewal after a version. */
function renewalAfter(last: string, renewal: Renewal | null): Renewal | null {
  return renewal && BigInt(last) < BigInt(renewal.until) ? { ...renewal, after: last } : null;
}

/** Sets the counts of items; an item that has lost all its counts has no days. */
function setCounts(
  catalogue: Catalogue,
  ids: readonly string[],
  counted: readonly ItemDays[],
  early: Set<string>,
): void {
  const now = Date.now();
  const byId = new Map(counted.map((one) => [one.itemId, one]));
  for (const id of ids) {
    const slot = catalogue.slotOf(id);
    if (slot === undefined) {
      if (early.size < MAX_EARLY) early.add(id);
      continue;
    }
    early.delete(id);
    const { days, scores } = byId.get(id) ?? { days: [], scores: [] };
    catalogue.popularity.set(slot, sumsOf(days, scores, now), days.length > 0 ? Math.min(...days) : undefined);
  }
}
