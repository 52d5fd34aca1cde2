import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SERVICES } from '../../../scripts/dev/services.ts';

const root = join(import.meta.dirname, '../../..');
const IMPORT = /(?:from|import)\s*\(?\s*'(\.[^']+)'/g;

/** Returns every file of the project that an entry imports. */
function importedFiles(entry: string, seen = new Set<string>()): Set<string> {
  if (seen.has(entry)) return seen;
  seen.add(entry);
  for (const [, path = ''] of readFileSync(join(root, entry), 'utf8').matchAll(IMPORT))
    importedFiles(join(dirname(entry), path), seen);
  return seen;
}

describe.each(SERVICES)('the service $name', ({ entry, sources }) => {
  it('restarts on every source that it imports', () => {
    const imported = new Set([...importedFiles(entry)].map((file) => file.split('/')[0] ?? file));
    expect(imported.size).toBeGreaterThan(2);
    expect([...imported].filter((folder) => !sources.includes(folder))).toEqual([]);
  });
});

it('the workflow service restarts on workflows, which it loads by path', () => {
  expect(SERVICES.find(({ name }) => name === 'workflow')?.sources).toContain('workflows');
});
