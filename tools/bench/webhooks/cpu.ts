/** Processor time of the product's processes, from /proc. */
import type pg from 'pg';
import { processorSeconds } from '../support/processorTime.ts';

/**
 * Seconds of user and system time by process kind; `postgres` is the server without the benchmark's own connections.
 */
export type CpuSeconds = Record<Counted, number>;

const COUNTED = ['webhook', 'relay', 'workflow', 'temporal', 'postgres'] as const;
export type Counted = (typeof COUNTED)[number];

/** @param pids process ids of the stack by name; every counted process must be among them */
export async function readCpu(pool: pg.Pool, pids: Readonly<Record<string, number>>): Promise<CpuSeconds> {
  const { rows } = await pool.query<{ pid: number }>(
    `select pid from pg_stat_activity where application_name = 'attune-bench'`,
  );
  const own = new Set(rows.map(({ pid }) => pid));
  const seconds = {} as CpuSeconds;
  for (const name of COUNTED) {
    const spent = await processorSeconds(pids[name] ?? Number.NaN, { children: name === 'postgres', without: own });
    if (spent === null) throw new Error(`${name} does not run`);
    seconds[name] = spent;
  }
  return seconds;
}

/** Returns the usage between two readings. */
export function cpuBetween(before: CpuSeconds, after: CpuSeconds): CpuSeconds {
  return Object.fromEntries(COUNTED.map((name) => [name, after[name] - before[name]])) as CpuSeconds;
}
