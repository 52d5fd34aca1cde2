/** Builds the cabinet's web app into cabinet/dist, unless its sources have not changed. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const ROOT = join(import.meta.dirname, '../../..');
const SOURCE = join(ROOT, 'cabinet');
const VITE = join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js');

/** Folder of the built app. */
export const CABINET_DIST = join(SOURCE, 'dist');
const DIGEST = 'digest';
const INPUTS = ['cabinet', 'clients/typescript/src', 'package-lock.json'];
/** Compressing a smaller file saves no packet. */
const WORTH_COMPRESSING = 1_400;
const COMPRESSED = /\.(?:js|css|svg|json)$/;

/** @returns true when it was built, false when it was up to date */
export async function buildCabinet(): Promise<boolean> {
  const digest = await digestOf(INPUTS);
  if ((await readFile(join(CABINET_DIST, DIGEST), 'utf8').catch(() => '')) === digest) return false;
  const outDir = `${CABINET_DIST}.${process.pid}`;
  try {
    await runVite(outDir);
    await compress(join(outDir, 'assets'));
    await writeFile(join(outDir, DIGEST), digest);
    await replaceFolder(outDir);
  } finally {
    await rm(outDir, { recursive: true, force: true });
  }
  return true;
}

/**
 * Runs Vite in its own process: Vite depends on NODE_ENV, which tests set differently, and it takes memory that
 * starting services need.
 */
async function runVite(outDir: string): Promise<void> {
  const { NODE_OPTIONS: _ofTheCaller, ...env } = process.env;
  const config = ['--config', join(SOURCE, 'vite.config.ts'), '--configLoader', 'native'];
  const args = ['build', ...config, '--outDir', outDir, '--emptyOutDir', '--logLevel', 'error'];
  await promisify(execFile)(process.execPath, [VITE, ...args], { cwd: ROOT, env: { ...env, NODE_ENV: 'production' } });
}

/** Replaces the folder as atomically as a file system allows: open pages keep what they have loaded. */
async function replaceFolder(built: string): Promise<void> {
  const old = `${built}.old`;
  await rename(CABINET_DIST, old).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  await rename(built, CABINET_DIST);
  await rm(old, { recursive: true, force: true });
}

async function digestOf(inputs: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const input of inputs)
    for (const path of await filesOf(join(ROOT, input))) {
      hash.update(`${relative(ROOT, path)}\0`);
      hash.update(await readFile(path));
    }
  return hash.digest('hex');
}

async function filesOf(path: string): Promise<string[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => null);
  if (entries === null) return [path];
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !/^dist\b/.test(relative(path, file)))
    .sort();
}

const asBrotli = promisify(brotliCompress);
const asGzip = promisify(gzip);

async function compress(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!COMPRESSED.test(name)) continue;
    const path = join(folder, name);
    const bytes = await readFile(path);
    if (bytes.length < WORTH_COMPRESSING) continue;
    await writeFile(`${path}.br`, await asBrotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }));
    await writeFile(`${path}.gz`, await asGzip(bytes, { level: constants.Z_BEST_COMPRESSION }));
  }
}
