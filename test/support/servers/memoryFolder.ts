/** A folder of files that need not survive a reboot and may therefore be in memory. */
import { chmod, mkdtemp, statfs } from 'node:fs/promises';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
/** Many times the size of a run's databases, each of which is dropped when its test file ends. */
const MIN_FREE_BYTES = 4 * 1024 ** 3;

async function freeBytes(path: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(path);
    return bavail * bsize;
  } catch {
    return 0; // not every system has one
  }
}

/**
 * Makes a new folder in memory, where creating and dropping a database takes half as much kernel time as on a disk;
 * returns null when there is too little space. Every account may enter it. The caller removes it.
 */
export async function makeMemoryFolder(prefix: string): Promise<string | null> {
  if ((await freeBytes(MEMORY)) < MIN_FREE_BYTES) return null;
  const folder = await mkdtemp(join(MEMORY, prefix));
  await chmod(folder, 0o755);
  return folder;
}
