/** Events that could not be sent, kept for the next try, on this page or the next. */
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

export interface Store {
  /** Takes everything out: two tabs do not send the same. */
  take(): Entry[];
  add(entries: readonly Entry[]): void;
  /** Takes out the events that were answered after all. */
  remove(ids: ReadonlySet<string>): void;
  isEmpty(): boolean;
  /** Epoch milliseconds; 0 when there is no pause. */
  pausedUntil(now: number): number;
  pauseUntil(time: number): void;
}

interface Content {
  /** Epoch milliseconds. */
  n: number;
  e: Entry[];
}

/** @param storage null where nothing may be kept: the memory of the page then does */
export function createStore(storage: TextStorage | null, name: string): Store {
  let memory: Content = { n: 0, e: [] };
  const read = (): Content => {
    try {
      const content = storage && parse(storage.getItem(name));
      return content ? { n: Math.max(content.n, memory.n), e: [...content.e, ...memory.e] } : memory;
    } catch {
      return memory;
    }
  };
  const write = (content: Content): void => {
    const kept = { n: content.n, e: keepNewest(content.e) };
    memory = kept;
    if (!storage) return;
    try {
      if (kept.e.length === 0 && kept.n === 0) storage.removeItem(name);
      else storage.setItem(name, stringify(kept));
      memory = { n: 0, e: [] };
    } catch {
      // full or forbidden: the page's memory holds it
      discard(storage, name);
    }
  };
  return {
    take() {
      const content = read();
      if (content.e.length > 0) write({ n: content.n, e: [] });
      return content.e;
    },
    add(entries) {
      const content = read();
      write({ n: content.n, e: [...content.e, ...entries] });
    },
    remove(ids) {
      const content = read();
      write({ n: content.n, e: content.e.filter(({ e }) => !ids.has(e.id)) });
    },
    isEmpty: () => read().e.length === 0,
    pausedUntil(now) {
      const { n } = read();
      return n > now && n <= now + LONGEST_PAUSE_MS ? n : 0;
    },
    pauseUntil: (time) => write({ n: time, e: read().e }),
  };
}

/** What is in memory now is in there too; left behind it would be sent twice. */
function discard(storage: TextStorage, name: string): void {
  try {
    storage.removeItem(name);
  } catch {
    // forbidden altogether
  }
}

/** Null for what is not ours, or was cut off. */
function parse(text: string | null): Content | null {
  if (text === null) return null;
  const content = JSON.parse(text) as Partial<Content> | null;
  if (!content || !Array.isArray(content.e)) return null;
  const isEntry = ({ v, e }: Partial<Entry>) => typeof v === 'string' && typeof e?.id === 'string' && typeof e.at === 'string';
  return { n: Number(content.n) || 0, e: content.e.filter((entry) => entry && isEntry(entry)) };
}
