/** The line in which Linux describes a process or a thread. */
import { readFileSync } from 'node:fs';

/** Linux counts processor time in hundredths of a second (USER_HZ). */
export const TICKS_PER_SECOND = 100;

/**
 * Returns field n of a process's or a thread's line in /proc, counted from 1 as in proc(5).
 * @param path `self`, a process id, or `<pid>/task/<thread>`
 */
export function statFields(path: string): (n: number) => number {
  const line = readFileSync(`/proc/${path}/stat`, 'utf8');
  // The name in parentheses may contain spaces, so fields are counted from the state after it, which is the third.
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  return (n) => Number(fields[n - 3]);
}
