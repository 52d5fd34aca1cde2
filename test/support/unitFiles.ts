/**
 * Finds the test files that need no server: those whose imports do not lead to a module that starts a server or
 * looks for an external program. `npm run test:unit` runs exactly these.
 */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { readImportGraph, type ImportGraph } from './imports.ts';

const ROOT = join(import.meta.dirname, '..', '..');

/**
 * Each of these starts a server or a process, looks for a program that is not part of Node, makes the bundle of the
 * workflows, or names a bundle that a run with servers builds.
 */
const SERVER_MODULES = new Set([
  'tools/scripts/cabinet/build.ts',
  'tools/scripts/dev/service.ts',
  'tools/scripts/engines/index.ts',
  'tools/scripts/tag/build.ts',
  'tools/scripts/workflowBundle.ts',
  ...['brokerClient', 'browser', 'chromium', 'cluster', 'engines', 'ffmpeg', 's3Server'].map(
    (name) => `test/support/${name}.ts`,
  ),
]);

/**
 * A test that imports one of these starts a server or a process itself; an import in the product's code proves
 * nothing.
 */
const SERVER_MEANS = new Set([
  'tools/scripts/engines/process.ts',
  ...['child_process', 'http', 'https', 'net', 'tls'].map((name) => `node:${name}`),
]);

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
