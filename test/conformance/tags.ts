/**
 * Reads the tags of a test file. A tag is a comment `// proves: limits/title, write/title` directly above a test, a
 * group of tests or a row of the table of `it.each`; several such lines may follow one another. The file is parsed,
 * never run.
 */
import { nodesIn, parseSource, partsOf, textOf, type Comment, type Node } from '../support/runner/syntaxTree.ts';

export interface Proof {
  /** The id that the tag names; whether there is such a rule is not known here. */
  rule: string;
  /** The title as Jest writes it, groups first and joined by ` › `; `.each` keeps its placeholders. */
  title: string;
  /** The beginning of the tagged row of a table. */
  row?: string;
}

export interface Tags {
  proofs: Proof[];
  /** Texts of tags that are not directly above something that they could belong to. */
  stray: string[];
}

interface File {
  source: string;
  comments: readonly Comment[];
  /** The values of all constants by name: `it.each(ROWS)` leads to the rows. */
  constants: ReadonlyMap<string, Node>;
  used: Set<Comment>;
}

const TITLED = new Set(['it', 'test', 'describe']);
/** A comment that begins with this is a tag. */
export const MARK = 'proves:';
const ROW_LENGTH = 60;

/** Returns every tag of the source of a test file. Throws on a source that is not TypeScript. */
export function readTags(source: string): Tags {
  const { program, comments } = parseSource('a.test.ts', source);
  const file: File = { source, comments, constants: constantsOf(program), used: new Set() };
  const proofs = proofsIn(program, [], file);
  const stray = comments.filter((comment) => isTag(comment) && !file.used.has(comment));
  return { proofs, stray: stray.map(({ value }) => value.trim()) };
}

function proofsIn(node: Node, groups: readonly string[], file: File): Proof[] {
  const titled = node.type === 'ExpressionStatement' ? titledCall(node['expression'] as Node) : null;
  if (titled === null) return partsOf(node).flatMap((part) => proofsIn(part, groups, file));
  const path = [...groups, titled.title];
  const title = path.join(' › ');
  return [
    ...rulesAbove(node, file).map((rule) => ({ rule, title })),
    ...titled.table.flatMap((table) => rowsIn(table, title, file, new Set())),
    ...titled.inside.flatMap((part) => proofsIn(part, path, file)),
  ];
}

/** Returns the proofs of the rows of a table, which may be written in the call itself or in a constant. */
function rowsIn(node: Node, title: string, file: File, seen: Set<Node>): Proof[] {
  if (seen.has(node)) return [];
  seen.add(node);
  const constant = node.type === 'Identifier' ? file.constants.get(String(node['name'])) : undefined;
  const parts = constant ? [constant] : partsOf(node);
  return [
    ...rulesAbove(node, file).map((rule) => ({ rule, title, row: labelOf(node, file) })),
    ...parts.flatMap((part) => rowsIn(part, title, file, seen)),
  ];
}

/** Returns the ids in the comments between the node and whatever is before it, in their order. */
function rulesAbove(node: Node, file: File): string[] {
  const rules: string[] = [];
  let start = node.start;
  for (const comment of file.comments.toReversed()) {
    if (comment.end > start) continue;
    if (file.source.slice(comment.end, start).trim() !== '') break;
    start = comment.start;
    if (!isTag(comment)) continue;
    file.used.add(comment);
    rules.unshift(...idsOf(comment));
  }
  return rules;
}

const isTag = ({ value }: Comment): boolean => value.trimStart().startsWith(MARK);

const idsOf = ({ value }: Comment): string[] =>
  value
    .slice(value.indexOf(MARK) + MARK.length)
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '');

interface Titled {
  title: string;
  /** Arguments of `.each`. */
  table: Node[];
  /** Arguments after the title. */
  inside: Node[];
}

/** Recognizes `it('…', …)`, `it.each(…)('…', …)` and the same calls of `describe`. */
function titledCall(node: Node): Titled | null {
  if (node.type !== 'CallExpression') return null;
  const callee = node['callee'] as Node;
  const [first, ...inside] = node['arguments'] as Node[];
  const title = first && textOf(first);
  if (title === undefined || !TITLED.has(nameOf(callee))) return null;
  return { title, table: callee.type === 'CallExpression' ? (callee['arguments'] as Node[]) : [], inside };
}

/** Returns `it` for `it`, `it.only`, `it.each(…)`; an empty text for any other callee. */
function nameOf(callee: Node): string {
  if (callee.type === 'Identifier') return String(callee['name']);
  if (callee.type === 'MemberExpression') return nameOf(callee['object'] as Node);
  return callee.type === 'CallExpression' ? nameOf(callee['callee'] as Node) : '';
}

/** Returns the first cell of a row, or its key: a text without its quotes, anything else as it is in the source. */
function labelOf(row: Node, file: File): string {
  const cell = row.type === 'ArrayExpression' ? (row['elements'] as Node[])[0] : row['key'];
  const node = (cell as Node | null | undefined) ?? row;
  const text = textOf(node) ?? file.source.slice(node.start, node.end).replaceAll(/\s+/g, ' ');
  return text.length > ROW_LENGTH ? `${text.slice(0, ROW_LENGTH)}…` : text;
}

function constantsOf(root: Node): Map<string, Node> {
  const found = new Map<string, Node>();
  for (const { type, id, init } of nodesIn(root) as (Node & { id?: Node; init?: Node | null })[])
    if (type === 'VariableDeclarator' && id?.type === 'Identifier' && init) found.set(String(id['name']), init);
  return found;
}
