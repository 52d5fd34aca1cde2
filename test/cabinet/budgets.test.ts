/** Number and compressed size of the files that a browser loads for each page. */
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { LANGUAGE_CODES } from '../../cabinet/src/words/load.ts';
import { CABINET_DIST } from '../../tools/scripts/cabinet/build.ts';

interface Chunk {
  file: string;
  imports?: string[];
  isEntry?: boolean;
}

const KB = 1_000;
let manifest: Record<string, Chunk>;

beforeAll(async () => {
  const path = join(CABINET_DIST, '.vite', 'manifest.json');
  manifest = JSON.parse(await readFile(path, 'utf8')) as Record<string, Chunk>;
});

/** Returns a chunk with everything that it imports, as file names. */
function filesOf(keys: readonly string[]): Set<string> {
  const seen = new Set<string>();
  const files = new Set<string>();
  const visit = (key: string): void => {
    const chunk = manifest[key];
    if (!chunk || seen.has(key)) return;
    seen.add(key);
    files.add(chunk.file);
    chunk.imports?.forEach(visit);
  };
  keys.forEach(visit);
  return files;
}

function without(files: Set<string>, known: Set<string>): string[] {
  return [...files].filter((file) => !known.has(file));
}

async function sizeOf(files: Iterable<string>): Promise<number> {
  let sum = 0;
  for (const file of files) sum += gzipSync(await readFile(join(CABINET_DIST, file)), { level: 9 }).length;
  return sum;
}

const page = (name: string): string => `src/pages/${name}.tsx`;
/** All pages but the two that have documents of their own. */
const PAGES = globSync('**/*Page.tsx', { cwd: join(import.meta.dirname, '../../cabinet/src/pages') })
  .map((file) => file.replace(/\.tsx$/, ''))
  .filter((name) => !/\/(SignIn|Invitation)Page$/.test(name))
  .toSorted();
const wordsOf = (language: string, area: string): string => `src/words/${language}/${area}Area.ts`;
const ENGLISH = wordsOf('en', 'entry');
const SHELL = ['index.html', ENGLISH];
/** Loaded right after the shell, on every page, with all components that pages share. */
const MENUS = 'src/shell/menus/index.ts';

function areaOf(name: string): string {
  if (name.startsWith('analytics/')) return 'analytics';
  return /^(?:content|home)\//.test(name) ? 'content' : 'installation';
}

describe('the script', () => {
  // proves: decisions-cabinet-app/budgets
  it.each(['sign-in.html', 'invitation.html'])('of %s takes at most 120 KB', async (document) => {
    const files = filesOf([document, ENGLISH]);
    expect(files.size).toBeGreaterThan(1);
    expect(await sizeOf(files)).toBeLessThan(120 * KB);
  });

  // proves: decisions-cabinet-app/budgets
  it('of the shell takes at most 170 KB', async () => {
    expect(await sizeOf(filesOf(SHELL))).toBeLessThan(170 * KB);
  });

  it('of the menus adds at most 58 KB', async () => {
    const added = without(filesOf([MENUS]), filesOf(SHELL));
    expect(added.length).toBeGreaterThan(0);
    expect(await sizeOf(added)).toBeLessThan(58 * KB);
  });

  // proves: decisions-cabinet-app/budgets
  it.each(PAGES)('of %s adds at most 20 KB', async (name) => {
    const own = without(filesOf([page(name)]), filesOf([...SHELL, MENUS]));
    expect(own.length).toBeGreaterThan(0);
    expect(await sizeOf(own)).toBeLessThan(20 * KB);
  });

  it.each(['sign-in.html', 'invitation.html'])('of %s is at most 4 files', (document) => {
    expect(filesOf([document, ENGLISH]).size).toBeLessThanOrEqual(4);
  });

  it.each(PAGES)('of %s is at most 12 files with the shell, the menus and the words', (name) => {
    const files = filesOf([...SHELL, MENUS, page(name), wordsOf('en', areaOf(name))]);
    expect(files.size).toBeLessThanOrEqual(12);
  });
});

it('no two chunks import each other, since one would run before what it needs', () => {
  const inCircle = Object.values(manifest).filter(({ file, imports = [] }) => filesOf(imports).has(file));
  expect(inCircle.map(({ file }) => file)).toEqual([]);
});

// proves: decisions-cabinet-app/budgets
it('the script of the player of recordings takes at most 90 KB', async () => {
  expect(await sizeOf(filesOf(['replay.html']))).toBeLessThan(90 * KB);
});

describe.each(LANGUAGE_CODES)('the words in %s', (language) => {
  // Russian letters take two bytes.
  it.each(['content', 'analytics', 'installation'])('of the area %s take at most 30 KB', async (area) => {
    expect(await sizeOf(filesOf([wordsOf(language, area)]))).toBeLessThan(30 * KB);
  });
});

// proves: decisions-cabinet-app/budgets
it('the styles of all pages, in one file, take at most 15 KB', async () => {
  const sheets = Object.values(manifest).flatMap(({ file }) => (file.endsWith('.css') ? [file] : []));
  expect(sheets).toHaveLength(1);
  expect(await sizeOf(sheets)).toBeLessThan(15 * KB);
});
