import { describe, expect, it } from '@jest/globals';
import { SERVICES } from '../../../../tools/scripts/dev/services.ts';
import { readImports } from '../../../support/imports.ts';

const importsOf = await readImports(SERVICES.map(({ entry }) => entry));

describe.each(SERVICES)('the service $name', ({ entry, sources }) => {
  it('restarts on every source that it imports', () => {
    const imported = new Set([...importsOf(entry, 'ever').files].map((file) => file.split('/')[0] ?? file));
    expect(imported.size).toBeGreaterThan(2);
    expect([...imported].filter((folder) => !sources.includes(folder))).toEqual([]);
  });
});

it('the workflow service restarts on workflows, which it loads by path', () => {
  expect(SERVICES.find(({ name }) => name === 'workflow')?.sources).toContain('workflows');
});
