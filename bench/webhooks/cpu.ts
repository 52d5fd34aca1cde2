/** Processor time of the product's processes, from /proc. */
import { readdir, readFile } from 'node:fs/promises';
import type pg from 'pg';

/** Seconds of user and system time by process kind; `postgres` is the server without the benchmark's own connections. */
export type CpuSeconds = Record<Counted, number>;

const COUNTED = ['webhook', 'relay', 'workflow', 'temporal', 'postgres'] as const;
export type Counted = (typeof COUNTED)[number];

/** USER_HZ, which Linux fixes at 100 for what it shows in /proc. */
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
  // After the command in brackets, which may hold spaces: field 3 of proc_pid_stat(5) on.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ').map(Number);
  const [parent = 0] = fields.slice(1);
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11);
  return { parent, own: user + system, ended: endedUser + endedSystem };
}

async function childrenTicks(parent: number, without: ReadonlySet<number>): Promise<number> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => Number.isInteger(pid) && !without.has(pid));
  const stats = await Promise.all(pids.map(statOf));
  return stats.reduce((sum, stat) => sum + (stat?.parent === parent ? stat.own : 0), 0);
}

/** @param pids of the stack's processes, by name; every one that is counted must be among them */
export async function readCpu(pool: pg.Pool, pids: Readonly<Record<string, number>>): Promise<CpuSeconds> {
  const { rows } = await pool.query<{ pid: number }>(`select pid from pg_stat_activity where application_name = 'attune-bench'`);
  const own = new Set(rows.map(({ pid }) => pid));
  const seconds = {} as CpuSeconds;
  for (const name of COUNTED) {
    const pid = pids[name] ?? Number.NaN;
    const stat = await statOf(pid);
    if (stat === null) throw new Error(`${name} does not run`);
    const children = name === 'postgres' ? stat.ended + (await childrenTicks(pid, own)) : 0;
    seconds[name] = (stat.own + children) / TICKS_PER_SECOND;
  }
  return seconds;
}

/** What was spent between two readings. */
export function cpuBetween(before: CpuSeconds, after: CpuSeconds): CpuSeconds {
  return Object.fromEntries(COUNTED.map((name) => [name, after[name] - before[name]])) as CpuSeconds;
}
