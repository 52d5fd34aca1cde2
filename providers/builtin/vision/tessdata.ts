/**
 * A folder with the language data for the OCR engine. The engine accepts one folder and downloads any file that is
 * missing there. So the folder is created here, with links to existing files, and the engine gets no other location.
 */
import { mkdtemp, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

export interface Tessdata {
  folder: string;
  /** Languages in order of preference, e.g. `['rus', 'eng']`. */
  languages: string[];
  remove(): Promise<void>;
}

/**
 * The engine opens `<language>.traineddata.gz` and detects compression by the content.
 * @throws the file system's error if the data cannot be examined or linked; then no folder is left
 */
export async function linkTessdata(directories: readonly string[]): Promise<Tessdata> {
  const folder = await mkdtemp(join(tmpdir(), 'attune-tessdata-'));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    return { folder, languages: await linkInto(folder, directories), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Returns the languages that have data. */
async function linkInto(folder: string, directories: readonly string[]): Promise<string[]> {
  const languages: string[] = [];
  for (const [language, folders] of [
    ['rus', directories],
    ['eng', [...directories, packagedEnglish()]],
  ] as const) {
    const file = await findData(language, folders);
    if (file === null) continue;
    await symlink(file, join(folder, `${language}.traineddata.gz`));
    languages.push(language);
  }
  return languages;
}

/** Returns whether Russian text can be read at present. */
export async function hasRussianData(directories: readonly string[]): Promise<boolean> {
  return (await findData('rus', directories).catch(() => null)) !== null;
}

/**
 * Returns the integer LSTM model of the installed package: a quarter of the size of the full one, with the same engine
 * mode.
 */
function packagedEnglish(): string {
  const entry = createRequire(import.meta.url).resolve('@tesseract.js-data/eng');
  return join(dirname(entry), '4.0.0_best_int');
}

async function findData(language: string, folders: readonly string[]): Promise<string | null> {
  for (const folder of folders) {
    for (const ending of ['', '.gz']) {
      const file = resolve(folder, `${language}.traineddata${ending}`);
      if (await isPlausible(file)) return file;
    }
  }
  return null;
}

/** Real data has at least a megabyte; an empty or partial file would silently disable the language. */
const MIN_BYTES = 100_000;

/** Codes of a file that is absent or not readable. Another error may pass, so it does not mean that a file is absent. */
const ABSENCES: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR', 'EACCES']);

function isPlausible(file: string): Promise<boolean> {
  return stat(file).then(
    (found) => found.isFile() && found.size >= MIN_BYTES,
    (error: NodeJS.ErrnoException) => {
      if (ABSENCES.has(error.code)) return false;
      throw error;
    },
  );
}
