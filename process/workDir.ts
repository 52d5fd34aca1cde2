/** The folder of files in work, such as downloads. Each work has a folder in it that names its process. */
import { readdirSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Process id and the six random characters of mkdtemp. */
const OWN_NAME = /^(\d+)-[A-Za-z0-9]{6}$/;

/**
 * Makes the folder and removes what killed processes left in it. The folder must not be shared
 * between machines or containers: a process id says nothing elsewhere.
 */
export async function sweepWorkDir(workDir: string): Promise<void> {
  await mkdir(workDir, { recursive: true });
  for (const name of await readdir(workDir)) {
    // Whatever else lies in the folder is not ours to judge.
    if (isDeadFolder(name)) await rm(join(workDir, name), { recursive: true, force: true });
  }
}

/** Whether a name in the folder is that of work whose process is gone; at a start, this process's own id was another's. */
export function isDeadFolder(name: string): boolean {
  const pid = OWN_NAME.exec(name)?.[1];
  return pid !== undefined && (Number(pid) === process.pid || !isAlive(Number(pid)));
}

/** Removes this process's folders, for a process that ends at once. Nothing is said of what cannot be removed: the next start sweeps it. */
export function removeOwnFolders(workDir: string): void {
  try {
    const own = readdirSync(workDir).filter((name) => OWN_NAME.exec(name)?.[1] === String(process.pid));
    for (const name of own) rmSync(join(workDir, name), { recursive: true, force: true });
  } catch {
    // Gone already, or no longer ours.
  }
}

/**
 * Runs `work` with a fresh folder, which is gone afterwards; one left by a kill is swept at the next start.
 * @param workDir swept before
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
