/** The paths of the cabinet's routes, such as `/p/$project/items`: the values of `path` in their files. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { nodesIn, parseSource, textOf, type Node } from '../../support/runner/syntaxTree.ts';

const FOLDER = join(import.meta.dirname, '../../../cabinet/src/routes');

export const ROUTES: readonly string[] = readdirSync(FOLDER)
  .flatMap((file) => nodesIn(parseSource(file, readFileSync(join(FOLDER, file), 'utf8')).program))
  .filter(({ type, key }) => type === 'Property' && (key as Node)['name'] === 'path')
  .map(({ value }) => textOf(value as Node) ?? '');
