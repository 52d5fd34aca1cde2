/** Syntax trees of TypeScript sources, as Vite's parser makes them (ESTree), for tests that examine source code. */
import { parseSync } from 'vite';

export interface Node {
  type: string;
  /** Places in the source, in UTF-16 units. */
  start: number;
  end: number;
  [key: string]: unknown;
}
export interface Comment {
  /** The text without `//` or `/*`. */
  value: string;
  start: number;
  end: number;
}

/** @param name only its ending counts: `a.tsx` may have JSX. @throws {SyntaxError} */
export function parseSource(name: string, source: string): { program: Node; comments: readonly Comment[] } {
  const { program, comments, errors } = parseSync(name, source);
  if (errors.length > 0) throw new SyntaxError(errors.map(({ message }) => message).join('\n'));
  return { program: program as unknown as Node, comments };
}

export function partsOf(node: Node): Node[] {
  return Object.values(node)
    .flat()
    .filter((part): part is Node => typeof part === 'object' && part !== null && 'type' in part);
}

/** Returns the node and everything in it. */
export function nodesIn(node: Node): Node[] {
  return [node, ...partsOf(node).flatMap(nodesIn)];
}

/** Returns the value of a string or of a template without expressions. */
export function textOf(node: Node): string | undefined {
  if (node.type === 'Literal' && typeof node['value'] === 'string') return node['value'];
  if (node.type !== 'TemplateLiteral') return undefined;
  const quasis = node['quasis'] as { value: { cooked: string } }[];
  return quasis.length === 1 ? quasis[0]?.value.cooked : undefined;
}
