import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { nodesIn, parseSource, textOf, type Node } from '../support/runner/syntaxTree.ts';
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

const SOURCES = join(import.meta.dirname, '../../cabinet/src');

/** Returns the addresses to which a file of the cabinet links: what its attributes and properties `to` contain. */
function linksIn(file: string): string[] {
  const source = readFileSync(join(SOURCES, file), 'utf8');
  if (!/\bto[=:]/.test(source)) return [];
  return nodesIn(parseSource(file, source).program)
    .filter(({ type, key, name }) =>
      type === 'Property' ? (key as Node)['name'] === 'to' : type === 'JSXAttribute' && (name as Node)['name'] === 'to',
    )
    .flatMap((node) => nodesIn(node).map((part) => textOf(part) ?? ''));
}

it('every page is reached by a tab, a menu or a link', () => {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' });
  const links = new Set(files.filter((file) => /\.tsx?$/.test(file)).flatMap(linksIn));
  expect(ROUTES.filter((route) => !links.has(route))).toEqual([]);
});
