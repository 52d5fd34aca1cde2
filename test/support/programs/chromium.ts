/**
 * Finds a Chromium program without a manual installation: the one in CHROMIUM if set, else the one from an npm
 * package, else the system's. The package's is unpacked once into the user's cache, with the libraries and the font
 * that a bare system lacks.
 */
import { execFile } from 'node:child_process';
import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createBrotliDecompress } from 'node:zlib';
import type { BrowserServer } from 'playwright-core';
import { chooseCacheDir, ensureEntry } from '../../../tools/scripts/engines/fetch/cache.ts';
import { onPath } from '../../../tools/scripts/engines/fetch/sources.ts';
import { HANG_MS } from '../eventually.ts';

const run = promisify(execFile);
/** Names of the program on various systems. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

export interface Program {
  path: string;
  /** Environment variables that it needs in addition to those of the tests. */
  env: Record<string, string>;
}

/**
 * Launches a Chromium that test files connect to. Every host name resolves to this machine, so that sites and the
 * server have different host names, as in production. The caller closes it.
 */
export async function launchChromium(): Promise<BrowserServer> {
  const { path, env } = await findBrowser();
  const { chromium } = await import('playwright-core');
  return await chromium.launchServer({
    host: '127.0.0.1',
    executablePath: path,
    env: { ...definedOf(process.env), ...env },
    // The sandbox is not available to root or in containers.
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--host-resolver-rules=MAP * 127.0.0.1'],
    timeout: HANG_MS,
    // The process that starts it stops it.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
}

/** Returns the environment without undefined variables. */
export function definedOf(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** Finds a program and starts it to make sure that it runs. @throws {Error} when there is none */
export async function findBrowser(): Promise<Program> {
  const given = process.env['CHROMIUM'];
  if (given) return { path: given, env: {} };
  try {
    return await startable(await unpacked());
  } catch (error) {
    for (const name of NAMES) {
      const path = await onPath(name, process.env);
      if (path !== null) return { path, env: {} };
    }
    throw new Error('no Chromium: the packaged one does not start, and none is on the PATH; set CHROMIUM', {
      cause: error,
    });
  }
}

/** Adds the package's libraries only where the system lacks them. */
async function startable(folder: string): Promise<Program> {
  const path = join(folder, 'chromium');
  const fonts = { FONTCONFIG_FILE: join(folder, 'fonts.conf') };
  const attempts = [fonts, { ...fonts, LD_LIBRARY_PATH: join(folder, 'lib') }];
  let fault: unknown;
  for (const env of attempts) {
    try {
      await run(path, ['--version', '--no-sandbox'], { env: { ...process.env, ...env }, timeout: HANG_MS });
      return { path, env };
    } catch (error) {
      fault = error;
    }
  }
  throw fault;
}

/** Returns a folder with `chromium`, `lib/`, `fonts/` and `fonts.conf`. */
async function unpacked(): Promise<string> {
  // The package's own unpacking uses a fixed path in the temporary folder, which another account cannot read.
  const main = createRequire(import.meta.url).resolve('@sparticuz/chromium');
  const packageFolder = join(dirname(main), '..');
  const { version } = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8')) as { version: string };
  const entry = {
    name: `chromium-${version}-${process.platform}-${process.arch}`,
    sha256: version, // the lock file pins the package's hash
    files: ['chromium', 'fonts.conf', join('lib', 'libnss3.so')],
    fill: (folder: string) => unpack(join(packageFolder, 'bin'), folder),
  };
  return await ensureEntry(await chooseCacheDir(process.env), entry);
}

async function unpack(from: string, folder: string): Promise<void> {
  const program = join(folder, 'chromium');
  await decompress(join(from, 'chromium.br'), program);
  await chmod(program, 0o755);
  for (const name of ['al2023.tar.br', 'fonts.tar.br']) {
    const archive = join(folder, 'archive.tar');
    await decompress(join(from, name), archive);
    await run('tar', ['--extract', '--no-same-owner', '--file', archive, '--directory', folder]);
  }
  await mkdir(join(folder, 'fonts'), { recursive: true });
  // The path is relative to the file, because the folder is renamed once it is complete.
  await writeFile(
    join(folder, 'fonts.conf'),
    '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir prefix="relative">fonts</dir><cachedir prefix="xdg">fontconfig</cachedir></fontconfig>\n',
  );
}

async function decompress(from: string, to: string): Promise<void> {
  await pipeline(createReadStream(from), createBrotliDecompress(), createWriteStream(to));
}
