import { statfs } from 'node:fs/promises';
import { nullOnTimeout } from '../concurrency/nullOnTimeout.ts';

/** A place for files. Object stores have no folder. */
type FilePlace = { kind: 'local'; dir: string } | { kind: 's3' };

/** Returns the folders of the API process by their labels. Buckets of object stores have no capacity limit. */
export function foldersOf({
  blobs,
  lake,
  workDir,
}: {
  blobs: FilePlace;
  lake: { data: FilePlace };
  workDir: string;
}): Record<string, string> {
  return {
    work: workDir,
    ...(blobs.kind === 'local' && { blobs: blobs.dir }),
    ...(lake.data.kind === 'local' && { lake: lake.data.dir }),
  };
}

export interface Disk {
  folder: string;
  /** Available to users other than root. */
  freeBytes: number;
  totalBytes: number;
}

/** Returns those that can be read within `ms`. */
export async function readDisks(folders: Readonly<Record<string, string>>, ms: number): Promise<Disk[]> {
  const disks = await Promise.all(
    Object.entries(folders).map(async ([folder, path]) => {
      const stat = await nullOnTimeout(statfs(path), ms);
      return stat && { folder, freeBytes: stat.bavail * stat.bsize, totalBytes: stat.blocks * stat.bsize };
    }),
  );
  return disks.filter((disk) => disk !== null);
}
