/**
 * Finds the test files that need no server: those whose imports do not lead to a module that starts a server or
 * looks for an external program. `npm run test:unit` runs exactly these.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

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

/** `import type` is erased at run time, so it is not followed. */
const IMPORT = /^\s*(?:import|export)\s+(?!type\b)[^;'"]*?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm;

function importsOf(file: string): string[] {
  if (!file.endsWith('.ts') || !existsSync(join(ROOT, file))) return [];
  const text = readFileSync(join(ROOT, file), 'utf8');
  return [...text.matchAll(IMPORT)].map(([, fixed, dynamic]) => {
    const name = fixed ?? dynamic ?? '';
    return name.startsWith('.') ? relative(ROOT, join(ROOT, dirname(file), name)) : name;
  });
}

function isServer(imported: string, importer: string): boolean {
  return SERVER_MODULES.has(imported) || (importer.startsWith('test/') && SERVER_MEANS.has(imported));
}

/** Returns a function that reports whether a file leads to a server; it reads each file once. */
function makeServerSearch(): (file: string) => boolean {
  const known = new Map<string, string[]>();
  const importsOnce = (file: string): string[] => {
    const found = known.get(file) ?? importsOf(file);
    known.set(file, found);
    return found;
  };
  return (file) => {
    const seen = new Set([file]);
    for (const next of seen) {
      const imports = importsOnce(next);
      if (imports.some((imported) => isServer(imported, next))) return true;
      for (const imported of imports) seen.add(imported);
    }
    return false;
  };
}

/** Returns paths relative to the root of the repository, sorted. */
export function findUnitFiles(): string[] {
  const needsServer = makeServerSearch();
  return globSync('test/**/*.test.ts', { cwd: ROOT })
    .filter((file) => !needsServer(file))
    .sort();
}
