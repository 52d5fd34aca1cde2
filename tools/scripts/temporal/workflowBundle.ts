/**
 * Caches the bundle of the workflows' code (platform/process/temporal/workflowBundle.ts) by the hash of its inputs,
 * because bundling takes two seconds.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { chooseCacheDir, ensureEntry } from '../engines/fetch/cache.ts';
import { run } from '../engines/fetch/process.ts';
import type { Env } from '../engines/fetch/sources.ts';

const ROOT = join(import.meta.dirname, '../../..');
/** Folders that workflows may import from, which `npm run lint:imports` enforces. */
const SOURCES = ['workflows', 'domain'];
/** Other inputs: how it is bundled, and each installed package, as npm records it. */
const FILES = ['platform/process/temporal/workflowBundle.ts'];
const PACKAGES = 'node_modules/.package-lock.json';
const BUNDLE = 'workflows.js';
const ENTRY = /^workflows-[0-9a-f]{64}$/;
/** 2 MB each: one for each branch that a developer switches between. */
const MAX_KEPT = 8;
const LIMIT_MS = 600_000;

/**
 * Writes the code of the current workflows to `path` atomically, because a worker may start meanwhile.
 * @throws with the bundler's output when they cannot be bundled
 */
export async function writeWorkflowBundle(path: string, env: Env): Promise<void> {
  const hash = await sourcesHash(ROOT);
  if (hash === null) return bundle(path);
  const cache = await chooseCacheDir(env);
  const entry = { name: `workflows-${hash}`, sha256: hash, files: [BUNDLE] };
  const folder = await ensureEntry(cache, {
    ...entry,
    fill: async (target) => {
      await bundle(join(target, BUNDLE));
      await removeOldest(cache);
    },
  });
  const next = `${path}.${process.pid}`;
  await copyFile(join(folder, BUNDLE), next);
  await rename(next, path);
}

/** Bundles in a separate process, because the launcher would keep the memory that the bundler takes. */
async function bundle(path: string): Promise<void> {
  const args = ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, '../bundleWorkflows.ts'), path];
  const { code, stderr } = await run({ command: process.execPath, args }, LIMIT_MS);
  if (code !== 0) throw new Error(`the workflows cannot be bundled: ${stderr.trim()}`);
}

/**
 * Returns the hash of everything that a bundle depends on, except for the location of the checkout; null when the
 * installed packages are unknown.
 */
export async function sourcesHash(root: string): Promise<string | null> {
  if (!existsSync(join(root, PACKAGES))) return null;
  const files = await Promise.all(SOURCES.map((folder) => readdir(join(root, folder), { recursive: true })));
  const paths = SOURCES.flatMap((folder, index) => (files[index] ?? []).map((name) => join(folder, name)));
  const hash = createHash('sha256');
  for (const path of [...paths.filter((name) => name.endsWith('.ts')).sort(), ...FILES, PACKAGES])
    hash.update(`\0${path}\0`).update(await readFile(join(root, path)));
  return hash.digest('hex');
}

async function removeOldest(cache: string): Promise<void> {
  const names = (await readdir(cache)).filter((name) => ENTRY.test(name));
  const aged = await Promise.all(
    names.map(async (name) => ({ path: join(cache, name), since: await modified(join(cache, name)) })),
  );
  const old = aged.toSorted((a, b) => b.since - a.since).slice(MAX_KEPT - 1);
  await Promise.all(old.map(({ path }) => rm(path, { recursive: true, force: true })));
}

/** Returns 0 for a file that another process has just removed. */
async function modified(path: string): Promise<number> {
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}
