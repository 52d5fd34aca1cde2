/** A file system of its own, small enough to be filled. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export interface SmallDisk {
  /** A folder on it that every process of this account can use. */
  path: string;
  /** Leaves not one free byte. */
  fill(): Promise<void>;
  /** There is space again. */
  empty(): Promise<void>;
  /** Gives everything on it up. */
  remove(): Promise<void>;
}

const MIB = 1024 * 1024;
/** Where it is mounted in its holder's own view of the machine; nobody else sees a mount there. */
const MOUNT_POINT = tmpdir();
const BALLAST = 'ballast';

/**
 * A tmpfs in a mount namespace of its own, held by a process that does nothing else. Others reach it
 * through /proc/<holder>/root, so neither the machine's mounts nor any right to mount are touched: root
 * needs none, an ordinary user becomes root of a user namespace. It is gone with its holder.
 * @throws with the system's words where namespaces are not allowed
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

/** Why there can be no small disk here; null when there can. */
export async function whyNoSmallDisk(): Promise<string | null> {
  try {
    const disk = await createSmallDisk(1);
    await disk.remove();
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Space that others give back meanwhile is taken too, until a byte finds no room. */
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
