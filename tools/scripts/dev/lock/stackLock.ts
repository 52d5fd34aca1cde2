/**
 * Allows one stack per data folder. The lock is a file that names the launcher and everything it started. A killed
 * launcher leaves it behind; the next one ends the processes that are still running and takes over.
 */
import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { endProcess, type RecordedProcess } from './endProcess.ts';
import { isSameProcess, processStart } from './processIdentity.ts';

const LOCK_NAME = 'dev.lock';
const ATTEMPTS = 5;
/** Orphans usually stop on their own when their parent exits; this is the longest wait for those that hang. */
const ORPHAN_GRACE_MS = 8000;

interface LockContent {
  pid: number;
  start: string;
  processes: RecordedProcess[];
}

/** Error for a data folder on which another stack is running. */
export class StackRunningError extends Error {
  override readonly name = 'StackRunningError';
}

export interface StackLock {
  /** Records a process of this stack, replacing an earlier one with that name or number. */
  record(name: string, pid: number): Promise<void>;
  /** Returns the recorded process ids. */
  pids(): number[];
  release(): Promise<void>;
}

/**
 * Takes the lock of a data folder, and creates the folder when missing.
 * @throws {StackRunningError} when a running launcher holds it.
 */
export async function acquireLock(
  dataDir: string,
  report: (line: string) => void,
  orphanGraceMs = ORPHAN_GRACE_MS,
): Promise<StackLock> {
  await mkdir(dataDir, { recursive: true });
  const path = join(dataDir, LOCK_NAME);
  const own: LockContent = { pid: process.pid, start: (await processStart(process.pid)) ?? '', processes: [] };
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (await createExclusively(path, own)) return makeLock(path, own);
    await clearStale(path, dataDir, report, orphanGraceMs);
  }
  throw new StackRunningError(`other starts keep taking ${path}: start one stack at a time`);
}

function makeLock(path: string, own: LockContent): StackLock {
  let processes: RecordedProcess[] = [];
  let writing = Promise.resolve();
  const save = (): Promise<void> => {
    // Writes one at a time: two concurrent writes could leave the older list.
    writing = writing.then(() => replace(path, { ...own, processes }));
    return writing;
  };
  return {
    async record(name, pid) {
      const start = await processStart(pid);
      if (start === null) return;
      processes = [...processes.filter((other) => other.name !== name && other.pid !== pid), { name, pid, start }];
      await save();
    },
    pids: () => processes.map(({ pid }) => pid),
    async release() {
      await writing.catch(() => {});
      await rm(path, { force: true });
    },
  };
}

/** Writes the complete file under another name first, then links it, so that no reader sees a partial lock. */
async function createExclusively(path: string, content: LockContent): Promise<boolean> {
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, JSON.stringify(content), { mode: 0o600 });
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

async function replace(path: string, content: LockContent): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, JSON.stringify(content), { mode: 0o600 });
  await rename(draft, path);
}

/** Ends the processes of a dead launcher and removes its lock; the lock of a running one is an error. */
async function clearStale(
  path: string,
  dataDir: string,
  report: (line: string) => void,
  graceMs: number,
): Promise<void> {
  const held = await readLock(path);
  if (held !== null && (await isSameProcess(held.pid, held.start))) {
    throw new StackRunningError(
      `a stack already runs on ${dataDir} (process ${held.pid}): stop it, or set ATTUNE_DATA_DIR to another folder`,
    );
  }
  await endOrphans(held?.processes ?? [], report, graceMs);
  await removeIfStill(path, held);
}

async function endOrphans(
  processes: readonly RecordedProcess[],
  report: (line: string) => void,
  graceMs: number,
): Promise<void> {
  // In reverse start order, so that a server ends after the processes that use it.
  for (const orphan of processes.toReversed()) {
    if (await endProcess(orphan, graceMs))
      report(`ended ${orphan.name} (process ${orphan.pid}), left by a launcher that was killed`);
  }
}

/**
 * Removes the lock unless it has changed. Another start may have cleared it and taken its own meanwhile, so it is moved
 * away, checked, and put back if it is another one.
 */
async function removeIfStill(path: string, held: LockContent | null): Promise<void> {
  const aside = `${path}.${randomUUID()}`;
  try {
    await rename(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  const moved = await readLock(aside);
  if (moved?.pid !== held?.pid || moved?.start !== held?.start) await link(aside, path).catch(() => {});
  await rm(aside, { force: true });
}

/** Returns null for a lock that no longer exists or was written by something else. */
async function readLock(path: string): Promise<LockContent | null> {
  try {
    const content = JSON.parse(await readFile(path, 'utf8')) as Partial<LockContent>;
    if (typeof content.pid !== 'number' || typeof content.start !== 'string' || !Array.isArray(content.processes))
      return null;
    return { pid: content.pid, start: content.start, processes: content.processes };
  } catch {
    return null;
  }
}
