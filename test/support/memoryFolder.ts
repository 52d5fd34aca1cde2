/** A folder of files that need not outlive the machine's next start, and may therefore lie in its memory. */
import { chmod, mkdtemp, statfs } from 'node:fs/promises';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
/** Many times what a run's databases come to: they are dropped as their files end. */
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
 * A new folder in memory, where making and dropping a database costs half as much of the kernel's time as on a
 * disk; null when there is no room. Every account may enter it. Whoever asked for it removes it.
 */
export async function makeMemoryFolder(prefix: string): Promise<string | null> {
  if ((await freeBytes(MEMORY)) < MIN_FREE_BYTES) return null;
  const folder = await mkdtemp(join(MEMORY, prefix));
  await chmod(folder, 0o755);
  return folder;
}
