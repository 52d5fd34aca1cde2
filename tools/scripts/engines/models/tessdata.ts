/**
 * Data for reading text in pictures. English is in the packages. Russian is optional: without it text in pictures is
 * read in English only, and the start reports that.
 */
import { access, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createHash } from 'node:crypto';
import { ensureEntry } from '../fetch/cache.ts';
import { run } from '../fetch/process.ts';
import { onPath, type EngineContext } from '../fetch/sources.ts';

/** Limit of the wait for optional data at a start. */
const FETCH_TIMEOUT_MS = 8000;

export interface TessdataContext extends EngineContext {
  /** Timeout for each way to download; 8 s by default. */
  fetchTimeoutMs?: number;
}

const SYSTEM_DIRS = [
  '/usr/share/tesseract-ocr/5/tessdata',
  '/usr/share/tesseract-ocr/4.00/tessdata',
  '/usr/share/tessdata',
  '/opt/homebrew/share/tessdata',
];

/**
 * tessdata_fast 4.1.0, with the same bytes in Debian's package tesseract-ocr-rus and in the project's own repository.
 */
const RUSSIAN = {
  sha256: 'e16e5e036cce1d9ec2b00063cf8b54472625b9e14d893a169e2b0dedeb4df225',
  url: 'https://github.com/tesseract-ocr/tessdata_fast/raw/4.1.0/rus.traineddata',
  debianPackage: 'tesseract-ocr-rus',
  file: 'rus.traineddata',
} as const;

const englishDir = (): string =>
  fileURLToPath(new URL('../../../../node_modules/@tesseract.js-data/eng/4.0.0_best_int', import.meta.url));

async function firstWithRussian(dirs: string[]): Promise<string | null> {
  for (const dir of dirs) {
    for (const file of [RUSSIAN.file, `${RUSSIAN.file}.gz`]) {
      const found = await access(join(dir, file)).then(
        () => true,
        () => false,
      );
      if (found) return dir;
    }
  }
  return null;
}

async function storeChecked(data: Uint8Array, folder: string): Promise<void> {
  const sha256 = createHash('sha256').update(data).digest('hex');
  if (sha256 !== RUSSIAN.sha256)
    throw new Error(`${RUSSIAN.file} has the hash ${sha256}, not the pinned ${RUSSIAN.sha256}`);
  await writeFile(join(folder, RUSSIAN.file), data);
}

/** Uses `apt-get download`, which works without root and needs only package lists. */
async function fillFromDebian(folder: string, context: TessdataContext): Promise<void> {
  const { fetchTimeoutMs = FETCH_TIMEOUT_MS } = context;
  const aptGet = await onPath('apt-get', context.env);
  if (aptGet === null) throw new Error('no apt-get');
  const download = await run(
    { command: aptGet, args: ['download', '-qq', RUSSIAN.debianPackage], cwd: folder, env: context.env },
    fetchTimeoutMs,
  );
  const archive = (await readdir(folder)).find((name) => name.endsWith('.deb'));
  if (download.code !== 0 || archive === undefined)
    throw new Error(download.stderr.trim().split('\n')[0] || 'no such package');
  const unpacked = join(folder, 'unpacked');
  const unpack = await run({ command: 'dpkg-deb', args: ['-x', join(folder, archive), unpacked] }, fetchTimeoutMs);
  if (unpack.code !== 0) throw new Error(unpack.stderr.trim());
  const file = (await readdir(unpacked, { recursive: true })).find((name) => name.endsWith(RUSSIAN.file));
  if (file === undefined) throw new Error('the package contains no data');
  await storeChecked(await readFile(join(unpacked, file)), folder);
  await Promise.all([rm(unpacked, { recursive: true }), rm(join(folder, archive))]);
}

async function fillFromSite(folder: string, { fetchTimeoutMs = FETCH_TIMEOUT_MS }: TessdataContext): Promise<void> {
  const response = await fetch(RUSSIAN.url, { signal: AbortSignal.timeout(fetchTimeoutMs) });
  if (!response.ok) throw new Error(`status ${response.status}`);
  await storeChecked(new Uint8Array(await response.arrayBuffer()), folder);
}

async function fetchRussian(context: TessdataContext): Promise<string> {
  const fill = async (folder: string): Promise<void> => {
    const reasons: string[] = [];
    for (const [name, attempt] of Object.entries({ Debian: fillFromDebian, download: fillFromSite })) {
      try {
        return await attempt(folder, context);
      } catch (error) {
        reasons.push(`${name}: ${(error as Error).message}`);
      }
    }
    throw new Error(reasons.join('; '));
  };
  return ensureEntry(context.cacheDir, { name: 'tessdata-4.1.0', sha256: RUSSIAN.sha256, files: [RUSSIAN.file], fill });
}

/**
 * Returns folders with `<language>.traineddata` or `.traineddata.gz` files; later folders add languages. Never fails:
 * an unavailable language is reported and left out.
 */
export async function resolveTessdata(context: TessdataContext): Promise<string[]> {
  const setting = context.env['TESSDATA_DIR']?.trim();
  const dirs = setting ? [setting, englishDir()] : [englishDir()];
  const present = await firstWithRussian([...(setting ? [setting] : []), ...SYSTEM_DIRS]);
  if (present !== null) return present === setting ? dirs : [...dirs, present];
  try {
    return [...dirs, await fetchRussian(context)];
  } catch (error) {
    context.report(
      `tessdata: Russian text in pictures will not be read (${(error as Error).message}): set TESSDATA_DIR to a folder with ${RUSSIAN.file}`,
    );
    return dirs;
  }
}
