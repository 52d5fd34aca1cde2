/**
 * `npm run lint:sql`: checks that SQL is only in db/ and reports/. It reads the string and template literals of the
 * product, not comments.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from '@swc/core';

/** The stores' own folders, development tools, and files that are not source. */
const EXEMPT = ['db', 'reports', 'tools', 'test', '**/node_modules', 'data', '**/dist', 'coverage'];
const STATEMENT =
  /^\s*(?:select\s[^]*\sfrom\s|insert\s+into\s|update\s+[\w."]+\s+set\s|delete\s+from\s|with\s+\w+(?:\s*\([^)]*\))?\s+as\s+(?:materialized\s+)?\(|(?:create|alter|drop)\s+(?:table|index|schema|database)\s|truncate\s|listen\s+\w+$|notify\s+\w+)/i;

/** Yields every literal text below a node of the syntax tree. */
function* literals(node: unknown): Generator<string> {
  if (Array.isArray(node)) {
    for (const child of node) yield* literals(child);
    return;
  }
  if (typeof node !== 'object' || node === null) return;
  const { type, value, cooked } = node as { type?: string; value?: unknown; cooked?: unknown };
  if (type === 'StringLiteral' && typeof value === 'string') yield value;
  if (type === 'TemplateElement' && typeof cooked === 'string') yield cooked;
  for (const child of Object.values(node)) yield* literals(child);
}

/** Returns the literals of a source text that begin like an SQL statement. */
export function findSql(source: string): string[] {
  const tree = parseSync(source, { syntax: 'typescript', target: 'es2024' });
  return [...literals(tree.body)]
    .filter((text) => STATEMENT.test(text))
    .map((text) => text.trim().replaceAll(/\s+/g, ' ').slice(0, 80));
}

/** Returns one line for each SQL statement in a wrong place. */
export function lintSql(root: string): string[] {
  const faults: string[] = [];
  for (const path of globSync('**/*.ts', { cwd: root, exclude: EXEMPT.map((folder) => `${folder}/**`) })) {
    for (const text of findSql(readFileSync(join(root, path), 'utf8')))
      faults.push(`${path}: SQL belongs in db/: ${text}`);
  }
  return faults;
}

if (import.meta.main) {
  const faults = lintSql(join(import.meta.dirname, '../..'));
  for (const fault of faults) console.error(fault);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
