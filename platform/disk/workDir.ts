/** The folder of working files, such as downloads. Each piece of work has a folder in it, named after its process. */
import { readdirSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Process id and the six random characters of mkdtemp. */
const OWN_NAME = /^(\d+)-[A-Za-z0-9]{6}$/;

/**
 * Creates the folder and removes what killed processes left in it. The folder must not be shared between machines or
 * containers: a process id has no meaning elsewhere.
 */
export async function sweepWorkDir(workDir: string): Promise<void> {
  await mkdir(workDir, { recursive: true });
  for (const name of await readdir(workDir)) {
    // Anything else in the folder does not belong to the product.
    if (isOrphanedFolder(name)) await rm(join(workDir, name), { recursive: true, force: true });
  }
}

/**
 * Returns true when a name in the folder belongs to work of a process that has ended; at the start of a process, a
 * folder with its own id was left by an earlier one.
 */
export function isOrphanedFolder(name: string): boolean {
  const pid = OWN_NAME.exec(name)?.[1];
  return pid !== undefined && (Number(pid) === process.pid || !isAlive(Number(pid)));
}

/**
 * Removes this process's folders, for a process that ends at once. Failures are not reported, because the next start
 * sweeps the folder.
 */
export function removeOwnFolders(workDir: string): void {
  try {
    const own = readdirSync(workDir).filter((name) => OWN_NAME.exec(name)?.[1] === String(process.pid));
    for (const name of own) rmSync(join(workDir, name), { recursive: true, force: true });
  } catch {
    // The folder was already removed, or is no longer accessible.
  }
}

/**
 * Runs `work` with a fresh folder, which is removed afterwards; one left by a kill is swept at the next start.
 * @param workDir a folder on which {@link sweepWorkDir} was called
 */
export async function withWorkFolder<T>(workDir: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(workDir, `${process.pid}-`));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
