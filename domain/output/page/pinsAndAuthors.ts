/**
 * Positions of a page: pinned entries are placed where they are wanted, and the number of entries per author is
 * limited.
 */

/**
 * Items of one author on a page of feed, next or popular. The other paths have no such limit, because a page about one
 * subject may be useful even if a single author made all of it.
 */
export const DEFAULT_PER_AUTHOR = 3;
export const MAX_PER_AUTHOR = 100;

export const MAX_PINS = 5;
export const MAX_PIN_POSITION = 65_535;

export interface Pin {
  item: string;
  /** From 0, over all pages of an answer. */
  position: number;
}

/** An entry that may be placed at most once. */
export interface Placeable {
  /** Null for an entry without an author; the number of these is not limited. */
  author: string | null;
  /** The first position at which it should be placed, unless nothing else can be; 0 for most. */
  earliest: number;
}

export interface Arranging<T extends Placeable> {
  /** The best first, without pinned entries. */
  ranked: readonly T[];
  /** Pinned entries that were not placed on an earlier page. */
  pinned: readonly { entry: T; position: number }[];
  /** The first position of the page, and its number of positions. */
  first: number;
  limit: number;
  /** Maximum number of entries of one author on the page; null means any number. */
  perAuthor: number | null;
  /** No further entries follow the ranked ones, so pins beyond the end move to the end. */
  isAll: boolean;
}

export interface Arranged<T> {
  /** Entries at positions without gaps. */
  placed: { entry: T; position: number; isPinned: boolean }[];
  /** Number of entries for which later pages have room. */
  left: number;
}

/**
 * Arranges a page. A pin whose position is taken, or that the limit of its author excludes, moves to the next free
 * position; a pin of a later page keeps its position there.
 */
export function arrange<T extends Placeable>({
  ranked,
  pinned,
  first,
  limit,
  perAuthor,
  isAll,
}: Arranging<T>): Arranged<T> {
  const end = first + limit;
  const authors = authorCounter(perAuthor);
  const inOrder = pinned.toSorted((a, b) => a.position - b.position);
  // The pins of the page take their author's share before all other entries.
  const due = inOrder.filter(({ entry, position }) => position < end && authors.take(entry.author));
  const later = inOrder.filter((pin) => !due.includes(pin));
  const waiting = [...ranked];
  const placed: Arranged<T>['placed'] = [];
  for (let position = first; position < end; position += 1) {
    const entry = isDue(due, position) ? undefined : takeRanked(waiting, position, authors);
    if (entry) {
      placed.push({ entry, position, isPinned: false });
      continue;
    }
    const pin = due.shift() ?? (isAll && waiting.length === 0 ? takeLater(later, authors) : undefined);
    if (!pin) break;
    placed.push({ entry: pin.entry, position, isPinned: true });
  }
  return { placed, left: waiting.length + due.length + later.length };
}

function isDue(due: readonly { position: number }[], position: number): boolean {
  const [next] = due;
  return next !== undefined && next.position <= position;
}

interface AuthorCounter {
  hasRoom(author: string | null): boolean;
  /** Takes a share. @returns true when there was room */
  take(author: string | null): boolean;
}

function authorCounter(perAuthor: number | null): AuthorCounter {
  const counts = new Map<string, number>();
  const hasRoom = (author: string | null): boolean =>
    perAuthor === null || author === null || (counts.get(author) ?? 0) < perAuthor;
  return {
    hasRoom,
    take(author) {
      if (!hasRoom(author)) return false;
      if (author !== null) counts.set(author, (counts.get(author) ?? 0) + 1);
      return true;
    },
  };
}

/**
 * Returns the best entry that may be placed here; if there is none, the best one whose only obstacle is that it is too
 * early.
 */
function takeRanked<T extends Placeable>(waiting: T[], position: number, authors: AuthorCounter): T | undefined {
  const free = (entry: T): boolean => authors.hasRoom(entry.author);
  const timely = waiting.findIndex((entry) => entry.earliest <= position && free(entry));
  const at = timely === -1 ? waiting.findIndex(free) : timely;
  if (at === -1) return undefined;
  const [entry] = waiting.splice(at, 1);
  if (entry) authors.take(entry.author);
  return entry;
}

function takeLater<T extends Placeable>(
  later: { entry: T; position: number }[],
  authors: AuthorCounter,
): { entry: T } | undefined {
  const at = later.findIndex(({ entry }) => authors.take(entry.author));
  return at === -1 ? undefined : later.splice(at, 1)[0];
}
