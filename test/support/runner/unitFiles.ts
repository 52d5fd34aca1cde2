/**
 * Finds the test files that need no server: those whose imports do not lead to a module that starts a server or
 * looks for an external program. `npm run test:unit` runs the short ones of these.
 */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { readImportGraph, type ImportGraph } from './imports.ts';
import { readDurations } from './longFirst.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');

/**
 * Each of these starts a server or a process, looks for a program that is not part of Node, makes the bundle of the
 * workflows, or names a bundle that a run with servers builds.
 */
const SERVER_MODULES = new Set([
  'tools/scripts/cabinet/build.ts',
  'tools/scripts/dev/services/service.ts',
  'tools/scripts/engines/index.ts',
  'tools/scripts/tag/build.ts',
  'tools/scripts/temporal/workflowBundle.ts',
  ...['brokerClient', 'cluster', 's3Server'].map((name) => `test/support/servers/${name}.ts`),
  ...['browser', 'chromium', 'engines', 'ffmpeg'].map((name) => `test/support/programs/${name}.ts`),
]);

/**
 * A test that imports one of these starts a server or a process itself; an import in the product's code proves
 * nothing.
 */
const SERVER_MEANS = new Set([
  'tools/scripts/engines/fetch/process.ts',
  ...['child_process', 'http', 'https', 'net', 'tls'].map((name) => `node:${name}`),
]);

/**
 * One file in this many, the longest ones, is left to `npm test`; together these take three fifths of the time of all
 * files. A limit in seconds would depend on the machine, and on what else it did when the times were recorded.
 */
const FILES_FOR_A_LONG_ONE = 12;

/** Leaves out the files that the record (longFirst.ts) says are the longest; a file without a record stays. */
export function withoutLong(files: readonly string[], seconds: Readonly<Record<string, number>>): string[] {
  const weight = (file: string): number => seconds[file.replace(/^test\//, '')] ?? 0;
  const longest = files.filter((file) => weight(file) > 0).sort((a, b) => weight(b) - weight(a));
  const long = new Set(longest.slice(0, Math.floor(files.length / FILES_FOR_A_LONG_ONE)));
  return files.filter((file) => !long.has(file));
}

/** Returns what `npm run test:unit` runs: paths relative to the root of the repository, sorted. */
export async function findQuickUnitFiles(): Promise<string[]> {
  return withoutLong(await findUnitFiles(), readDurations());
}

/** Returns paths relative to the root of the repository, sorted. */
export async function findUnitFiles(): Promise<string[]> {
  const files = globSync('test/**/*.test.ts', { cwd: ROOT }).sort();
  const graph = await readImportGraph(files);
  return files.filter((file) => !leadsToServer(graph, file));
}

function leadsToServer(graph: ImportGraph, file: string): boolean {
  const seen = new Set([file]);
  for (const next of seen) {
    const imports = (graph[next]?.imports ?? []).map(({ path }) => path);
    if (imports.some((imported) => isServer(imported, next))) return true;
    for (const imported of imports) seen.add(imported);
  }
  return false;
}

function isServer(imported: string, importer: string): boolean {
  return SERVER_MODULES.has(imported) || (importer.startsWith('test/') && SERVER_MEANS.has(imported));
}
