/** Processor time of processes, from /proc. */
import { readdir, readFile } from 'node:fs/promises';

/** USER_HZ, which Linux fixes at 100 in /proc. */
const TICKS_PER_SECOND = 100;

interface Stat {
  parent: number;
  /** Ticks of the process itself. */
  own: number;
  /** Ticks of its children that have ended. */
  ended: number;
}

async function statOf(pid: number): Promise<Stat | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (text === null) return null;
  // The fields after the command in parentheses, which may contain spaces: field 3 of proc_pid_stat(5) and later.
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [parent = 0] = fields.slice(1);
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11);
  return { parent, own: user + system, ended: endedUser + endedSystem };
}

async function childrenTicks(parent: number, without: ReadonlySet<number>): Promise<number> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => Number.isInteger(pid) && !without.has(pid));
  const stats = await Promise.all(pids.map(statOf));
  return stats.reduce((sum, stat) => sum + (stat?.parent === parent ? stat.own : 0), 0);
}

/**
 * Returns the seconds of user and system time of a process.
 * @param options with `children`, the time of its children is included, except those in `without`
 * @returns null when there is no such process
 */
export async function processorSeconds(
  pid: number,
  options: { children?: boolean; without?: ReadonlySet<number> } = {},
): Promise<number | null> {
  const stat = await statOf(pid);
  if (stat === null) return null;
  const children = options.children ? stat.ended + (await childrenTicks(pid, options.without ?? new Set())) : 0;
  return (stat.own + children) / TICKS_PER_SECOND;
}
