/** A separate file system, small enough to be filled. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export interface SmallDisk {
  /** A folder on it that every process of this account can use. */
  path: string;
  /** Fills it, so that not one byte is free. */
  fill(): Promise<void>;
  /** Frees the space again. */
  empty(): Promise<void>;
  /** Removes it with everything on it. */
  remove(): Promise<void>;
}

const MIB = 1024 * 1024;
/** Mount point in the holder's own mount namespace; no other process sees a mount there. */
const MOUNT_POINT = tmpdir();
const BALLAST = 'ballast';

/**
 * Creates a tmpfs in its own mount namespace, held by a process that does nothing else. Others reach it through
 * /proc/<holder>/root, so neither the machine's mounts nor any permission to mount is involved: root needs none, and an
 * ordinary user becomes root of a user namespace. It disappears with its holder.
 * @throws with the system's message where namespaces are not allowed
 */
export async function createSmallDisk(mib: number): Promise<SmallDisk> {
  const asUser = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'];
  const script = `mount -t tmpfs -o size=${mib}m,mode=0777 tmpfs ${MOUNT_POINT} && echo mounted && exec cat`;
  const holder = spawn('unshare', [...asUser, '--mount', '--propagation', 'private', 'sh', '-c', script], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const words: string[] = [];
  holder.stderr.setEncoding('utf8').on('data', (text: string) => words.push(text));
  const ended = once(holder, 'close').catch((error: Error) => void words.push(error.message));
  const mounted = await Promise.race([
    once(createInterface({ input: holder.stdout }), 'line').then(() => true),
    ended.then(() => false),
  ]);
  if (!mounted) throw new Error(`no small disk: ${words.join('').trim()}`);
  const path = `/proc/${holder.pid}/root${MOUNT_POINT}`;
  return {
    path,
    fill: () => fill(join(path, BALLAST)),
    empty: () => rm(join(path, BALLAST), { force: true }),
    async remove() {
      holder.kill('SIGKILL');
      await ended;
    },
  };
}

/** Returns the reason why a small disk is impossible here; null when it is possible. */
export async function whyNoSmallDisk(): Promise<string | null> {
  try {
    const disk = await createSmallDisk(1);
    await disk.remove();
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Fills the disk, including space that others free meanwhile, until not one byte fits. */
async function fill(path: string): Promise<void> {
  const file = await open(path, 'a');
  try {
    for (let size = MIB; size >= 1;) {
      const isFull = await file.appendFile(Buffer.alloc(size, 1)).then(() => false, isDiskFull);
      if (isFull) size >>= 1;
    }
  } finally {
    await file.close();
  }
  if ((await stat(path)).size === 0) throw new Error('nothing could be written to fill the disk');
}

function isDiskFull(error: NodeJS.ErrnoException): boolean {
  if (error.code === 'ENOSPC') return true;
  throw error;
}
