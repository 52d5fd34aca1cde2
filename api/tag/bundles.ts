/** The built bundles of the tag, compressed once and kept in memory. */
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { constants, gzip as gzipWithCallback } from 'node:zlib';

/** One representation; each has its own ETag (RFC 9110, section 8.8.3.3). */
interface Representation {
  etag: string;
  bytes: Buffer;
}

export interface Bundle {
  plain: Representation;
  gzip: Representation;
}

const NAMES = ['tag.js', 'tag-record.js'] as const;
export type BundleName = (typeof NAMES)[number];

export interface Bundles {
  /** Returns the bundle of a path at the root; null for every other path. */
  nameOf(path: string): BundleName | null;
  fileOf(name: BundleName): string;
  /** Returns null when it is not built. */
  read(name: BundleName): Promise<Bundle | null>;
}

/** Interval of checking for changes: in development the tag is rebuilt while the server runs. */
const CHECK_INTERVAL_MS = 1_000;

interface CachedBundle {
  checkedAt: number;
  version: string;
  bundle: Promise<Bundle | null>;
}

const gzip = promisify(gzipWithCallback);

/** @param folder output folder of tools/scripts/tag.ts */
export function createBundles(folder: string, now: () => number = () => performance.now()): Bundles {
  const cache = new Map<BundleName, CachedBundle>();
  const fileOf = (name: BundleName): string => join(folder, name);
  return {
    nameOf: (path) => NAMES.find((name) => path === `/${name}`) ?? null,
    fileOf,
    async read(name) {
      const known = cache.get(name);
      if (known && now() - known.checkedAt < CHECK_INTERVAL_MS) return known.bundle;
      const version = await versionOf(fileOf(name));
      if (known?.version === version) known.checkedAt = now();
      else cache.set(name, newEntry(fileOf(name), version, now()));
      return (cache.get(name) ?? known)?.bundle ?? null;
    },
  };
}

/** Starts to load a bundle. If that fails although the file is there, the next check tries again. */
function newEntry(file: string, version: string, checkedAt: number): CachedBundle {
  // The cause may be temporary, such as a lack of file handles: the failure must not last until the file changes.
  const bundle = load(file).catch(() => null);
  const entry: CachedBundle = { checkedAt, version, bundle };
  void bundle.then((loaded) => {
    if (loaded === null) entry.version = '';
  });
  return entry;
}

/** Returns a version that changes with the file; empty when there is none. */
async function versionOf(file: string): Promise<string> {
  const found = await stat(file).catch(() => null);
  return found ? `${found.ino}/${found.size}/${found.mtimeMs}` : '';
}

async function load(file: string): Promise<Bundle> {
  const bytes = await readFile(file);
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  const compressed = await gzip(bytes, { level: constants.Z_BEST_COMPRESSION });
  return { plain: { etag: `"${hash}"`, bytes }, gzip: { etag: `"${hash}-gzip"`, bytes: compressed } };
}
