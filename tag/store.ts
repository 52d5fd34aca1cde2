/**
 * Events that could not be sent, kept for the next try, on this page or the next. What is being sent stays in
 * here under a lease, so that no other tab sends it meanwhile, and a page that dies takes nothing with it.
 */
import { keepNewest, type Entry } from './batch.ts';
import { stringify } from './json.ts';

/** The part of localStorage that is used. Every call may throw. */
export interface TextStorage {
  getItem(name: string): string | null;
  setItem(name: string, value: string): void;
  removeItem(name: string): void;
}

/** Until when the server wants to be left alone; a stored time further off is a fault of a clock. */
const LONGEST_PAUSE_MS = 3600_000;
/** A little longer than an answer is waited for; a longer lease is a fault of a clock too. */
export const LEASE_MS = 40_000;

/** All times are epoch milliseconds. */
export interface Store {
  /** What no page is sending now, oldest first. */
  free(now: number): Entry[];
  /** Stores the events, or changes the lease of those that are stored; without a lease they are free. */
  put(entries: readonly Entry[], leasedUntil?: number): void;
  remove(entries: readonly Entry[]): void;
  /** When there is something to send: null when nothing is stored. */
  dueAt(now: number): number | null;
  /** 0 when there is no pause. */
  pausedUntil(now: number): number;
  pauseUntil(time: number): void;
}

interface StoredEntry extends Entry {
  /** Leased until. */
  l?: number;
}

interface Content {
  /** Paused until. */
  n: number;
  e: StoredEntry[];
}

/** @param storage null where nothing may be kept: the memory of the page then does */
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
      return n > now && n <= now + LONGEST_PAUSE_MS ? n : 0;
    },
    pauseUntil: (time) => box.write({ n: time, e: box.read().e }),
  };
}

interface Box {
  read(): Content;
  write(content: Content): void;
}

/** In the storage, or in memory while that is full or forbidden. */
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
        // First, so that what is in memory from now on is not left behind as well.
        storage.removeItem(name);
        if (content.e.length > 0 || content.n > 0) storage.setItem(name, stringify(content));
        memory = null;
      } catch {
        // The page's memory has it.
      }
    },
  };
}

/** Leaves out what is not ours, or was cut off. @throws SyntaxError */
function parse(text: string | null): Content {
  const content = JSON.parse(String(text)) as Partial<Content> | null;
  const isEntry = (entry: Partial<StoredEntry> | null): boolean =>
    typeof entry?.v === 'string' &&
    typeof entry.e?.id === 'string' &&
    typeof entry.e.at === 'string' &&
    (entry.l === undefined || typeof entry.l === 'number');
  return { n: Number(content?.n) || 0, e: Array.isArray(content?.e) ? content.e.filter(isEntry) : [] };
}
