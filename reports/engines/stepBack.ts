/** Niceness of an engine: intake and ingest on the same machine get their cores first. */
import { readdirSync } from 'node:fs';
import { setPriority } from 'node:os';

/** Of 19. */
const NICENESS = 10;

/** Linux keeps it by thread, and those that DuckDB and Node work on are there before any code of ours runs. */
export function stepBack(): void {
  const threads = threadsOfOwn();
  if (threads.length === 0) setPriority(NICENESS);
  else stepThreadsBack(threads);
}

/** Each for itself: one that has ended since it was listed is no reason to leave out those after it. */
export function stepThreadsBack(threads: readonly number[]): void {
  for (const thread of threads) {
    try {
      setPriority(thread, NICENESS);
    } catch {
      // Ended.
    }
  }
}

/** None on another system than Linux. */
function threadsOfOwn(): number[] {
  try {
    return readdirSync('/proc/self/task').map(Number);
  } catch {
    return [];
  }
}
