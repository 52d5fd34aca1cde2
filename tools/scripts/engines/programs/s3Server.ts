/**
 * An S3 server for tests only: s3rver 5 (which checks version 4 signatures), installed by npm, with every package
 * pinned by the lock file beside it.
 */
import { createHash } from 'node:crypto';
import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureEntry } from '../fetch/cache.ts';
import { EngineError } from '../fetch/engineError.ts';
import { run } from '../fetch/process.ts';
import { onPath, type EngineContext } from '../fetch/sources.ts';

const VERSION = '5.0.0';
const PROGRAM = 'node_modules/@20minutes/s3rver/lib/s3rver.js';
const PINNED = join(import.meta.dirname, 's3rver');
const TIMEOUT_MS = 600_000;

/**
 * @returns its module; test/support/servers/s3Server.ts runs it
 * @throws {EngineError} with one line that names the fix
 */
export async function resolveS3Server(context: EngineContext): Promise<string> {
  const lock = await readFile(join(PINNED, 'package-lock.json'));
  const entry = {
    name: `s3rver-${VERSION}`,
    sha256: createHash('sha256').update(lock).digest('hex'),
    files: [PROGRAM],
    fill: (folder: string) => install(folder, context),
  };
  try {
    return join(await ensureEntry(context.cacheDir, entry), PROGRAM);
  } catch (error) {
    throw new EngineError(
      `s3rver was not found (${(error as Error).message}): install npm, or make its registry reachable`,
    );
  }
}

/** Installs with `npm ci`, which refuses packages that do not match the lock file's hashes. */
async function install(folder: string, context: EngineContext): Promise<void> {
  const npm = await onPath('npm', context.env);
  if (npm === null) throw new Error('no npm');
  context.report(`s3rver ${VERSION}: downloading 14 MB`);
  for (const file of ['package.json', 'package-lock.json']) await cp(join(PINNED, file), join(folder, file));
  const result = await run(
    {
      command: npm,
      args: ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
      cwd: folder,
      env: context.env,
    },
    TIMEOUT_MS,
  );
  if (result.timedOut) throw new Error(`npm took longer than ${TIMEOUT_MS / 1000} s`);
  if (result.code !== 0) throw new Error(result.stderr.trim().split('\n')[0] || 'npm failed');
}
