/**
 * Shows what the cores are used for: all processes of the stack, PostgreSQL's by the process that they serve, and the
 * benchmark's client.
 */
import { readdir, readFile } from 'node:fs/promises';
import type { Figure } from './report.ts';
import type { WholeStack } from '../../../test/support/whole/stack.ts';

/** USER_HZ, which Linux fixes at 100 in /proc. */
const TICKS_PER_SECOND = 100;
/** Processes below this are not listed. */
const MIN_CORES = 0.005;

/** Seconds since the start: on a core, and runnable without a free core. */
interface CoreSeconds {
  ran: number;
  waited: number;
}

interface NamedCoreSeconds extends CoreSeconds {
  who: string;
}

/** By process id; an entry for the threads of low priority has another key. */
type Seconds = ReadonlyMap<string, NamedCoreSeconds>;

interface Database {
  query(sql: string): Promise<{ pid: number; name: string }[]>;
}

const NO_SECONDS: CoreSeconds = { ran: 0, waited: 0 };
/** Key and name of the entry for all backends that have ended. */
const ENDED = 'PostgreSQL, ended backends';

/**
 * Reads the seconds of each process. Low-priority threads are listed separately, because they only use idle time.
 * Backends that have ended are listed together: pools end idle connections all the time.
 */
export async function readSeconds(stack: Pick<WholeStack, 'pids'>, database: Database): Promise<Seconds> {
  const backends = await database.query(
    `select pid, coalesce(nullif(application_name, ''), backend_type) as name from pg_stat_activity where pid <> pg_backend_pid()`,
  );
  const pids = await stack.pids();
  const processes: (readonly [string, number])[] = [
    ...Object.entries(pids),
    ['client', process.pid],
    ...backends.map(({ name, pid }) => [`PostgreSQL for ${name.replace('attune-', '')}`, pid] as const),
  ];
  const seconds = new Map<string, NamedCoreSeconds>();
  for (const [name, pid] of processes) {
    for (const { nice, ran, waited } of await threadsOf(pid)) {
      const key = nice > 0 ? `${pid}, low priority` : String(pid);
      const who = nice > 0 ? `${name}, low priority` : name;
      const { ran: ranBefore, waited: waitedBefore } = seconds.get(key) ?? NO_SECONDS;
      seconds.set(key, { who, ran: ranBefore + ran, waited: waitedBefore + waited });
    }
  }
  const postmaster = pids['postgres'];
  if (postmaster !== undefined) seconds.set(ENDED, { who: ENDED, ran: await endedChildrenOf(postmaster), waited: 0 });
  return seconds;
}

/** Returns the seconds of the children that have ended: fields 16 and 17 of proc_pid_stat(5). */
async function endedChildrenOf(pid: number): Promise<number> {
  const fields = await statOf(`/proc/${pid}`);
  return fields === null ? 0 : ((fields[13] ?? 0) + (fields[14] ?? 0)) / TICKS_PER_SECOND;
}

/**
 * Returns how many cores each used between two readings, highest first, and how many of its threads waited for a core
 * on average.
 */
export function coresBetween(name: string, before: Seconds, after: Seconds, seconds: number): Figure[] {
  return spentBetween(before, after)
    .filter(({ spent }) => spent / seconds >= MIN_CORES)
    .flatMap(({ who, spent, waited }) => [
      { name: `${name}: ${who}`, value: spent / seconds, unit: 'cores', aim: null },
      { name: `${name}: ${who}, waiting for a core`, value: waited / seconds, unit: 'threads', aim: null },
    ]);
}

/** Returns the seconds that each used, and waited for a core, between two readings, highest usage first. */
export function spentBetween(before: Seconds, after: Seconds): { who: string; spent: number; waited: number }[] {
  const spent = new Map<string, { who: string; spent: number; waited: number }>();
  for (const [key, { who, ran, waited }] of after) {
    const { ran: ranBefore, waited: waitedBefore } = before.get(key) ?? NO_SECONDS;
    const sum = spent.get(who) ?? { who, spent: 0, waited: 0 };
    spent.set(who, { who, spent: sum.spent + ran - ranBefore, waited: sum.waited + waited - waitedBefore });
  }
  // A backend that ended between the readings added its whole time to this entry; what it used before is subtracted.
  const ended = spent.get(ENDED);
  if (ended)
    for (const [key, { who, ran }] of before)
      if (!after.has(key) && who.startsWith('PostgreSQL for ')) ended.spent -= ran;
  return [...spent.values()].sort((a, b) => b.spent - a.spent);
}

async function threadsOf(pid: number): Promise<(CoreSeconds & { nice: number })[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const read = await Promise.all(threads.map((thread) => threadOf(`/proc/${pid}/task/${thread}`)));
  return read.filter((thread) => thread !== null);
}

/** @returns null when the thread has ended */
async function threadOf(folder: string): Promise<(CoreSeconds & { nice: number }) | null> {
  const fields = await statOf(folder);
  if (fields === null) return null;
  const ticks = (fields[11] ?? 0) + (fields[12] ?? 0);
  return { ran: ticks / TICKS_PER_SECOND, waited: await waitedOf(folder), nice: fields[16] ?? 0 };
}

/** @returns field 3 of proc_pid_stat(5) and later; null when the process or thread has ended */
async function statOf(folder: string): Promise<number[] | null> {
  const text = await readFile(`${folder}/stat`, 'utf8').catch(() => null);
  // The command in parentheses before these fields may contain spaces.
  return text === null
    ? null
    : text
        .slice(text.lastIndexOf(')') + 2)
        .split(' ')
        .map(Number);
}

/**
 * Returns the seconds on a run queue: the second field of schedstat, which is in nanoseconds; 0 on kernels that do not
 * count them.
 */
async function waitedOf(folder: string): Promise<number> {
  const text = await readFile(`${folder}/schedstat`, 'utf8').catch(() => '');
  return Number(text.split(' ')[1] ?? 0) / 1e9;
}
