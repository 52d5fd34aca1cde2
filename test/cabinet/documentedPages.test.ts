import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { ROUTES } from './support/routes.ts';

// proves: decisions-cabinet-app/documented
it('docs/cabinet.md has a row for every page', () => {
  const text = readFileSync(join(import.meta.dirname, '../../docs/cabinet.md'), 'utf8');
  const addresses = ROUTES.map((route) => `/cabinet${route === '/' ? '' : route.replaceAll(/\$(\w+)/g, '{$1}')}`);
  expect(addresses.length).toBeGreaterThan(30);
  expect(addresses.filter((address) => !text.includes(`\`${address}\``) && !text.includes(`\`${address}?`))).toEqual(
    [],
  );
});
