/**
 * Folders stay small enough for the names in them to be read at a glance, and import each other in one direction
 * (docs/decisions/layout.md).
 */
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from '@jest/globals';
import { readImportGraph } from './support/runner/imports.ts';

const ROOT = join(import.meta.dirname, '..');
const MAX_FILES = 15;
/** Exempt from the limit: recorded histories, and samples whose names say what is in them. */
const EXEMPT = ['test/replay', 'tools/samples/yardstick/pictures', 'tools/samples/yardstick/texts'];
const GENERATED = ['dist', 'node_modules', '__pycache__'];

async function countFiles(folder: string): Promise<[folder: string, files: number][]> {
  const entries = await readdir(join(ROOT, folder), { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory());
  const inside = folders.filter(({ name }) => !GENERATED.includes(name));
  const below = await Promise.all(inside.map(({ name }) => countFiles(`${folder}/${name}`)));
  return [[folder, entries.length - folders.length], ...below.flat()];
}

it.each([
  'activities',
  'api',
  'cabinet',
  'clients',
  'db',
  'domain',
  'loops',
  'ops',
  'output',
  'platform',
  'providers',
  'reports',
  'test',
  'tools',
  'workers',
  'workflows',
])('no folder of %s/ has more than 15 files', async (folder) => {
  const large = (await countFiles(folder)).filter(([name, files]) => files > MAX_FILES && !EXEMPT.includes(name));
  expect(large).toEqual([]);
});

it('the folders of the cabinet do not import each other in cycles', async () => {
  const pages = ['main.tsx', 'invitation.tsx', 'signIn.tsx', 'replay/main.ts'];
  const graph = await readImportGraph(pages.map((page) => `cabinet/src/${page}`));
  const imports = new Map<string, Set<string>>();
  for (const [file, { imports: found }] of Object.entries(graph).filter(([path]) => path.startsWith('cabinet/'))) {
    const folder = dirname(file);
    const others = imports.get(folder) ?? new Set();
    imports.set(folder, others);
    for (const { path } of found)
      if (path.startsWith('cabinet/') && dirname(path) !== folder) others.add(dirname(path));
  }
  expect(imports.size).toBeGreaterThan(30);
  expect(foldersInCycles(imports)).toEqual([]);
});

/** Removes folders that import none of the remaining ones, until only cycles, and what imports them, are left. */
function foldersInCycles(imports: Map<string, Set<string>>): string[] {
  const left = new Map(imports);
  for (;;) {
    const free = [...left].filter(([, others]) => [...others].every((other) => !left.has(other)));
    if (free.length === 0) return [...left.keys()];
    for (const [folder] of free) left.delete(folder);
  }
}
