/**
 * One folder with the language data the OCR engine may read. The engine takes a single folder and, when a file is
 * not in it, downloads: so the folder is made here, of links to files that are known to exist, and the engine is
 * told of no other place.
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

/** The engine opens `<language>.traineddata.gz` and tells by the content whether it is compressed. */
export async function linkTessdata(directories: readonly string[]): Promise<Tessdata> {
  const folder = await mkdtemp(join(tmpdir(), 'attune-tessdata-'));
  const languages: string[] = [];
  for (const [language, places] of [
    ['rus', directories],
    ['eng', [...directories, packagedEnglish()]],
  ] as const) {
    const file = await findData(language, places);
    if (file === null) continue;
    await symlink(file, join(folder, `${language}.traineddata.gz`));
    languages.push(language);
  }
  return { folder, languages, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** The integer LSTM model of the installed package: a quarter of the size of the full one, the same engine mode. */
function packagedEnglish(): string {
  const entry = createRequire(import.meta.url).resolve('@tesseract.js-data/eng');
  return join(dirname(entry), '4.0.0_best_int');
}

async function findData(language: string, places: readonly string[]): Promise<string | null> {
  for (const place of places) {
    for (const ending of ['', '.gz']) {
      const file = resolve(place, `${language}.traineddata${ending}`);
      if (await isPlausible(file)) return file;
    }
  }
  return null;
}

/** Real data has a megabyte and more; an empty or half-fetched file would silently cost the language. */
const LEAST_BYTES = 100_000;

function isPlausible(file: string): Promise<boolean> {
  return stat(file).then(
    (found) => found.isFile() && found.size >= LEAST_BYTES,
    () => false,
  );
}
