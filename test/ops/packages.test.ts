/** package-lock.json is complete: `npm ci`, with which CI and the image install, refuses an incomplete one. */
import { describe, expect, it } from '@jest/globals';
import { readText } from './support/compose.ts';

interface Locked {
  optionalDependencies?: Record<string, string>;
}

const { packages } = JSON.parse(readText('package-lock.json')) as { packages: Record<string, Locked> };

describe('package-lock.json', () => {
  // When a registry lacks some of them, npm omits them silently.
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
