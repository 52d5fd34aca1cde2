import { describe, expect, it } from '@jest/globals';
import { SERVICES } from '../../../../../tools/scripts/dev/services/services.ts';
import { readImports } from '../../../../support/runner/imports.ts';

const importsOf = await readImports(SERVICES.map(({ entry }) => entry));

describe.each(SERVICES)('the service $name', ({ entry, sources }) => {
  it('restarts when any source that it imports changes', () => {
    const imported = [...importsOf(entry, 'ever').files];
    expect(imported.length).toBeGreaterThan(20);
    const isWatched = (file: string): boolean =>
      sources.some((source) => file === source || file.startsWith(`${source}/`));
    expect(imported.filter((file) => !isWatched(file))).toEqual([]);
  });
});

it('the workflow service restarts when workflows change, although it loads them by path instead of importing them', () => {
  expect(SERVICES.find(({ name }) => name === 'workflow')?.sources).toContain('workflows');
});
