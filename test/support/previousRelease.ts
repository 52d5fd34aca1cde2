/**
 * The previous release, read from the repository's own history.
 *
 * The rule: PREVIOUS_RELEASE is the commit of the newest release that installations run. The first commit after a
 * release sets it to that release's commit; nothing else changes it.
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chooseCacheDir, ensureEntry } from '../../tools/scripts/engines/fetch/cache.ts';
import { createHash } from 'node:crypto';

const PREVIOUS_RELEASE = '11be07738ea1baba6c0375f63ed991a9f65d419b';

const ROOT = join(import.meta.dirname, '../..');
const run = promisify(execFile);

interface Lock {
  packages: Record<string, { version?: string; dev?: boolean; optional?: boolean }>;
}

export interface PreviousRelease {
  /** The folder with its sources and packages. */
  root: string;
  remove(): Promise<void>;
}

/** @throws with instructions when the history is not available */
async function git(...args: string[]): Promise<string> {
  try {
    return (await run('git', ['-C', ROOT, ...args], { maxBuffer: 64 * 1024 * 1024 })).stdout;
  } catch (error) {
    const first = String((error as { stderr?: string }).stderr ?? error).split('\n')[0];
    throw new Error(
      `the previous release ${PREVIOUS_RELEASE} is not to be had (${first}): this test needs git and a clone with its whole history (git fetch --unshallow)`,
      { cause: error },
    );
  }
}

/** Lists the paths of the release's files under `folder`. */
export async function previousFiles(folder: string): Promise<string[]> {
  return (await git('ls-tree', '-r', '--name-only', PREVIOUS_RELEASE, `${folder}/`)).trim().split('\n');
}

/** Reads the text of one file of the release. */
export function previousText(path: string): Promise<string> {
  return git('show', `${PREVIOUS_RELEASE}:${path}`);
}

export async function isAncestor(): Promise<boolean> {
  return (await git('merge-base', PREVIOUS_RELEASE, 'HEAD')).trim() === PREVIOUS_RELEASE;
}

/** Unpacks the release, ready to run. It uses the installed packages when their versions are the same. */
export async function unpackPreviousRelease(): Promise<PreviousRelease> {
  const root = await mkdtemp(join(tmpdir(), 'attune-previous-'));
  const archive = join(root, 'release.tar');
  await git('archive', '--output', archive, PREVIOUS_RELEASE);
  await run('tar', ['-C', root, '-xf', archive]);
  await rm(archive);
  await symlink(await packagesFor(root), join(root, 'node_modules'));
  return { root, remove: () => rm(root, { recursive: true, force: true }) };
}

async function packagesFor(root: string): Promise<string> {
  const text = await readFile(join(root, 'package-lock.json'), 'utf8');
  const wanted = versionsOf(JSON.parse(text) as Lock);
  const here = versionsOf(JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8')) as Lock);
  if ([...wanted].every(([path, version]) => here.get(path) === version)) return join(ROOT, 'node_modules');
  const sha256 = createHash('sha256').update(text).digest('hex');
  const entry = await ensureEntry(await chooseCacheDir(process.env), {
    name: `release-packages-${sha256.slice(0, 12)}`,
    sha256,
    files: ['node_modules/.package-lock.json'],
    fill: (folder) => installPackages(root, folder),
  });
  return join(entry, 'node_modules');
}

/** Returns the versions of its packages, without those for development only. */
function versionsOf({ packages }: Lock): Map<string, string | undefined> {
  const used = Object.entries(packages).filter(([path, { dev, optional }]) => path !== '' && !dev && !optional);
  return new Map(used.map(([path, { version }]) => [path, version]));
}

async function installPackages(root: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await run(
    'cp',
    ['package.json', 'package-lock.json', '.npmrc', folder].map((file) =>
      file === folder ? folder : join(root, file),
    ),
  );
  const { NODE_OPTIONS: _forJestOnly, ...env } = process.env;
  await run('npm', ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder, env });
}
