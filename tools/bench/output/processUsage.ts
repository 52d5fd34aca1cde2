/** Measures the resources that the processes use: processor time, memory, statements. */
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { processorSeconds } from '../support/processorTime.ts';
import type { OutputBench } from './bench.ts';

export const COUNTED = ['api', 'selection', 'postgres'] as const;
type Counted = (typeof COUNTED)[number];

export type Usage = Record<Counted, number> & { statements: number };

/** Backends report their statements a second later. */
const STATISTICS_MS = 1_500;

/** Returns seconds of processor time by process, and the number of committed statements, since they started. */
export async function readUsage({ stack, database }: OutputBench): Promise<Usage> {
  await delay(STATISTICS_MS);
  const pids: Record<string, number> = { ...(await stack.whole.pids()), postgres: database.pid };
  const [own] = await database.query<{ pid: number }>('select pg_backend_pid() as pid');
  const seconds = {} as Record<Counted, number>;
  for (const name of COUNTED) {
    const isDatabase = name === 'postgres';
    const spent = await processorSeconds(pids[name] ?? Number.NaN, {
      children: isDatabase,
      without: new Set(own ? [own.pid] : []),
    });
    if (spent === null) throw new Error(`${name} does not run`);
    seconds[name] = spent;
  }
  const [row] = await database.query<{ statements: number }>(
    `select (xact_commit + xact_rollback)::float8 as statements from pg_stat_database where datname = current_database()`,
  );
  return { ...seconds, statements: row?.statements ?? Number.NaN };
}

/** Returns the usage between two readings. */
export function usageBetween(before: Usage, after: Usage): Usage {
  return {
    api: after.api - before.api,
    selection: after.selection - before.selection,
    postgres: after.postgres - before.postgres,
    statements: after.statements - before.statements,
  };
}

export interface Memory {
  /** Resident memory now, in MB. */
  resident: number;
  /** Peak resident memory since the process started, in MB. */
  peak: number;
}

export async function readMemory({ stack }: OutputBench, name: 'api' | 'selection'): Promise<Memory> {
  const pids = await stack.whole.pids();
  const status = await readFile(`/proc/${pids[name]}/status`, 'utf8');
  const kilobytes = (field: string): number =>
    Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1]) / 1_024;
  return { resident: kilobytes('VmRSS'), peak: kilobytes('VmHWM') };
}
