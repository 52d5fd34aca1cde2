/**
 * Stores events that could not be sent, for a retry on this page or the next. Events that are being sent stay here
 * under a lease, so that no other tab sends them meanwhile and none are lost with a page that dies.
 */
import type { Entry } from './batch.ts';
import { stringify } from '../data/json.ts';

/** The part of localStorage that is used. Every call may throw. */
export interface TextStorage {
  getItem(name: string): string | null;
  setItem(name: string, value: string): void;
  removeItem(name: string): void;
}

/** A fraction of the 5 MB that a page's origin has. */
const STORED_EVENTS = 500;
const STORED_CHARACTERS = 250_000;
/** Longest pause that the server can request; a stored time further ahead is due to a wrong clock. */
export const MAX_REQUESTED_PAUSE_MS = 3600_000;
/** A little longer than the response timeout; a longer lease is due to a wrong clock too. */
export const LEASE_MS = 40_000;

/** All times are epoch milliseconds. */
export interface Store {
  /** Returns the events that no page is sending now, oldest first. */
  free(now: number): Entry[];
  /** Stores the events, or changes the lease of stored ones; without a lease they are free. */
  put(entries: readonly Entry[], leasedUntil?: number): void;
  remove(entries: readonly Entry[]): void;
  /** Returns the time at which there is something to send; null when nothing is stored. */
  dueAt(now: number): number | null;
  /** Returns 0 when there is no pause. */
  pausedUntil(now: number): number;
  pauseUntil(time: number): void;
}

interface StoredEntry extends Entry {
  /** End of the lease. */
  l?: number;
}

interface Content {
  /** End of the pause. */
  n: number;
  e: StoredEntry[];
}

/** @param storage null where nothing may be stored; the events are then kept in the page's memory */
export function createStore(storage: TextStorage | null, name: string): Store {
  const box = createBox(storage, name);
  const isFree = ({ l = 0 }: StoredEntry, now: number): boolean => !(l > now && l <= now + LEASE_MS);
  const without = (content: Content, entries: readonly Entry[]): StoredEntry[] => {
    const ids = new Set(entries.map(({ e }) => e.id));
    return content.e.filter(({ e }) => !ids.has(e.id));
  };
  return {
    free: (now) => box.read().e.filter((entry) => isFree(entry, now)),
    put(entries, leasedUntil = 0) {
      if (entries.length === 0) return;
      const content = box.read();
      const put = entries.map(({ v, e }) => (leasedUntil > 0 ? { v, e, l: leasedUntil } : { v, e }));
      const all = [...without(content, entries), ...put];
      box.write({ n: content.n, e: keepNewest(all.sort((a, b) => (a.e.at < b.e.at ? -1 : a.e.at > b.e.at ? 1 : 0))) });
    },
    remove(entries) {
      const content = box.read();
      const rest = without(content, entries);
      if (rest.length < content.e.length) box.write({ n: content.n, e: rest });
    },
    dueAt(now) {
      const { e } = box.read();
      if (e.length === 0) return null;
      return e.reduce((due, entry) => Math.min(due, isFree(entry, now) ? now : (entry.l ?? now)), Infinity);
    },
    pausedUntil(now) {
      const { n } = box.read();
      return n > now && n <= now + MAX_REQUESTED_PAUSE_MS ? n : 0;
    },
    pauseUntil: (time) => box.write({ n: time, e: box.read().e }),
  };
}
/** Returns the newest events that may be kept, in order. */
function keepNewest(entries: readonly Entry[]): Entry[] {
  let characters = 0;
  let first = entries.length;
  while (first > 0 && entries.length - first < STORED_EVENTS) {
    characters += stringify(entries[first - 1]).length;
    if (characters > STORED_CHARACTERS) break;
    first -= 1;
  }
  return entries.slice(first);
}

interface Box {
  read(): Content;
  write(content: Content): void;
}

/** Keeps the content in the storage, or in memory while the storage is full or forbidden. */
function createBox(storage: TextStorage | null, name: string): Box {
  let memory: Content | null = null;
  return {
    read() {
      if (memory || !storage) return memory ?? { n: 0, e: [] };
      try {
        return parse(storage.getItem(name));
      } catch {
        return { n: 0, e: [] };
      }
    },
    write(content) {
      memory = content;
      try {
        if (!storage) return;
        // The old content is removed first: if writing fails, only the memory may have content.
        storage.removeItem(name);
        if (content.e.length > 0 || content.n > 0) storage.setItem(name, stringify(content));
        memory = null;
      } catch {
        // The content stays in the page's memory.
      }
    },
  };
}

/** Skips entries that are malformed or were cut off. @throws SyntaxError */
function parse(text: string | null): Content {
  const content = JSON.parse(String(text)) as Partial<Content> | null;
  const isEntry = (entry: Partial<StoredEntry> | null): boolean =>
    typeof entry?.v === 'string' &&
    typeof entry.e?.id === 'string' &&
    typeof entry.e.at === 'string' &&
    (entry.l === undefined || typeof entry.l === 'number');
  return { n: Number(content?.n) || 0, e: Array.isArray(content?.e) ? content.e.filter(isEntry) : [] };
}
