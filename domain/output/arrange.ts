/** The places of a page: what is pinned stands where it is wanted, of one author there is only so much. */

export const MAX_PINS = 5;
export const MAX_PIN_POSITION = 65_535;

export interface Pin {
  item: string;
  /** From 0, over all pages of an answer. */
  position: number;
}

/** What may be placed; each at most once. */
export interface Placeable {
  /** Null: nobody's, of which there may be any number. */
  author: string | null;
  /** It should not stand before this place, unless nothing else can; 0 for most. */
  earliest: number;
}

export interface Arranging<T extends Placeable> {
  /** The best first, without what is pinned. */
  ranked: readonly T[];
  /** What is pinned and was not placed on an earlier page. */
  pinned: readonly { entry: T; position: number }[];
  /** The first place of the page, and how many it has. */
  first: number;
  limit: number;
  /** Entries of one author on the page; null: any number. */
  perAuthor: number | null;
  /** Nothing comes after the ranked entries: what is pinned behind the end comes to the end. */
  isAll: boolean;
}

export interface Arranged<T> {
  /** On places without gaps. */
  placed: { entry: T; position: number; isPinned: boolean }[];
  /** Entries that later pages have room for. */
  left: number;
}

/**
 * Arranges a page. A pin whose place is taken, or which another one of its author keeps away, comes to the next place
 * that is free; one of a later page keeps its place there.
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
  // The pins of the page have their author's places before anything else does.
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
  /** @returns whether there was room */
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

/** The best that may stand there; where nothing may, the best that has only come too early. */
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
