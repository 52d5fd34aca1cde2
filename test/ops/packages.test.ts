/** package-lock.json is whole: `npm ci`, by which CI and the image install, refuses one that is not. */
import { describe, expect, it } from '@jest/globals';
import { readText } from './support/compose.ts';

interface Locked {
  optionalDependencies?: Record<string, string>;
}

const { packages } = JSON.parse(readText('package-lock.json')) as { packages: Record<string, Locked> };

describe('package-lock.json', () => {
  // A registry that has not got all of them yet makes npm leave them out without a word.
  it('has every platform of every package with native parts', () => {
    const locked = new Set(Object.keys(packages).map((path) => path.slice(path.lastIndexOf('node_modules/') + 13)));
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies)
        .filter((name) => !locked.has(name))
        .map((name) => `${path} wants ${name}`),
    );
    expect(missing).toEqual([]);
  });

  it('records no address of a registry', () => {
    expect(readText('package-lock.json')).not.toContain('"resolved"');
  });
});
