/** Reads the titles of a file's tests from its source, without running it. */
import { readFile } from 'node:fs/promises';
import { parse } from '@swc/core';

const TESTS = new Set(['it', 'test']);
const GROUPS = new Set(['describe']);

interface Node {
  type?: string;
  [key: string]: unknown;
}

/**
 * Returns full titles as Jest writes them: groups first, joined by ` › `; placeholders of `.each` stay unchanged.
 */
export async function titlesOf(path: string): Promise<string[]> {
  const module = await parse(await readFile(path, 'utf8'), { syntax: 'typescript', target: 'es2024' });
  const titles: string[] = [];
  collect(module as unknown as Node, [], titles);
  return titles;
}

function collect(node: unknown, groups: readonly string[], titles: string[]): void {
  if (Array.isArray(node)) {
    for (const part of node) collect(part, groups, titles);
    return;
  }
  if (typeof node !== 'object' || node === null) return;
  const { kind, title, inside } = titledCall(node as Node);
  if (kind === 'test') titles.push([...groups, title].join(' › '));
  else if (kind === 'group') collect(inside, [...groups, title], titles);
  else for (const part of Object.values(node)) collect(part, groups, titles);
}

type Titled = { kind: 'test' | 'group'; title: string; inside: unknown } | { kind: null; title: ''; inside: null };
const NOT_TITLED: Titled = { kind: null, title: '', inside: null };

/** Recognizes `it('…', …)`, `it.each(…)('…', …)` and the same of `describe`. */
function titledCall(node: Node): Titled {
  if (node.type !== 'CallExpression') return NOT_TITLED;
  const name = calleeOf(node['callee'] as Node);
  const kind = name === null ? null : TESTS.has(name) ? 'test' : GROUPS.has(name) ? 'group' : null;
  const [first, ...rest] = node['arguments'] as { expression: Node }[];
  const title = first && textOf(first.expression);
  return kind === null || title === undefined ? NOT_TITLED : { kind, title, inside: rest };
}

function calleeOf(callee: Node): string | null {
  if (callee.type === 'Identifier') return String(callee['value']);
  // The outer call of it.each(table)('title', …): its callee is the call of the member.
  const inner = callee.type === 'CallExpression' ? (callee['callee'] as Node) : callee;
  if (inner.type !== 'MemberExpression' || inner === callee) return null;
  return calleeOf(inner['object'] as Node);
}

function textOf(node: Node): string | undefined {
  if (node.type === 'StringLiteral') return String(node['value']);
  if (node.type !== 'TemplateLiteral') return undefined;
  const quasis = node['quasis'] as { raw: string }[];
  return quasis.length === 1 ? quasis[0]?.raw : undefined;
}
