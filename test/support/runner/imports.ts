/**
 * Finds the imports of the project's files with esbuild, which strips types as Node does and resolves the rest. Files
 * that are started by path (threads, child processes) are not imported by any other file, so they are entries of their
 * own.
 */
import { join } from 'node:path';
import { build, stop, type Metafile } from 'esbuild';

const ROOT = join(import.meta.dirname, '../../..');

export interface Imports {
  /** Paths from the root, the entry included. */
  files: Set<string>;
  /** Names of packages, without paths in them and without Node's own modules. */
  packages: Set<string>;
}

/** The files that were found, by path from the root, each with what it imports. */
export type ImportGraph = Metafile['inputs'];

/** Returns everything that the entries import, directly or indirectly. Rejects when an import leads nowhere. */
export async function readImportGraph(entries: readonly string[]): Promise<ImportGraph> {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    stdin: { contents: entries.map((entry) => `import ${JSON.stringify(`./${entry}`)};`).join('\n'), resolveDir: ROOT },
    outdir: 'unwritten',
    write: false,
    bundle: true,
    metafile: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    logLevel: 'silent',
  }).finally(stop);
  return metafile.inputs;
}

/**
 * Returns a function that says what an entry imports: with `start`, what is loaded when the entry starts; with `ever`,
 * also what it imports on demand. Rejects when an import leads nowhere.
 */
export async function readImports(
  entries: readonly string[],
): Promise<(entry: string, when: 'start' | 'ever') => Imports> {
  const graph = await readImportGraph(entries);
  return (entry, when) => importsOf(graph, entry, when);
}

function importsOf(graph: ImportGraph, entry: string, when: 'start' | 'ever'): Imports {
  const files = new Set([entry]);
  const packages = new Set<string>();
  for (const file of files) {
    for (const { path, kind, external } of graph[file]?.imports ?? []) {
      if (when === 'start' && kind === 'dynamic-import') continue;
      if (!external) files.add(path);
      else if (!path.startsWith('node:')) packages.add(packageOf(path));
    }
  }
  return { files, packages };
}

const packageOf = (path: string): string =>
  path
    .split('/')
    .slice(0, path.startsWith('@') ? 2 : 1)
    .join('/');
