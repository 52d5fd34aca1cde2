/** Finds which topics of the dictionary (cabinet/src/words) a file of the cabinet reads. */
import { parseSource, partsOf, type Node } from '../../../support/runner/syntaxTree.ts';

/** The names that stand for the whole dictionary at a place in the file. */
type Names = ReadonlySet<string>;

/**
 * Returns, in alphabetical order, the topics that are read from `useWords()`, from `usePreferences().words` and from
 * parameters of the type `Words`.
 */
export function topicsIn(source: string): string[] {
  const topics = new Set<string>();
  visit(parseSource('a.tsx', source).program, new Set(), topics);
  return [...topics].toSorted();
}

function visit(node: Node, outer: Names, topics: Set<string>): void {
  const names = namesInside(node, outer, topics);
  if (node.type === 'MemberExpression' && heldBy(node['object'] as Node, names) === 'dictionary')
    topics.add(nameOf(node['property'] as Node));
  for (const part of partsOf(node)) visit(part, names, topics);
}

/** Returns the names in a function or a block: its own declarations hide those around it. */
function namesInside(node: Node, outer: Names, topics: Set<string>): Names {
  const names = new Set(outer);
  const declare = (target: Node, holds: Held): void => {
    if (target.type === 'Identifier' && holds === 'dictionary') names.add(nameOf(target));
    else if (target.type === 'Identifier') names.delete(nameOf(target));
    if (target.type !== 'ObjectPattern') return;
    for (const { key, value } of (target['properties'] as Node[]).filter(({ type }) => type === 'Property')) {
      const name = nameOf(key as Node);
      if (holds === 'dictionary') topics.add(name);
      declare(value as Node, holds === 'preferences' && name === 'words' ? 'dictionary' : 'else');
    }
  };
  for (const parameter of (node['params'] as Node[] | undefined) ?? [])
    declare(parameter, isTypedWords(parameter) ? 'dictionary' : 'else');
  for (const statement of node.type === 'BlockStatement' ? (node['body'] as Node[]) : []) {
    if (statement.type !== 'VariableDeclaration') continue;
    for (const { id, init } of statement['declarations'] as { id: Node; init: Node | null }[])
      declare(id, init === null ? 'else' : heldBy(init, names));
  }
  return names;
}

/** `preferences` stands for the result of `usePreferences()`, whose `words` are the dictionary. */
type Held = 'dictionary' | 'preferences' | 'else';

function heldBy(node: Node, names: Names): Held {
  if (node.type === 'Identifier') return names.has(nameOf(node)) ? 'dictionary' : 'else';
  if (node.type === 'MemberExpression') {
    const isWords = nameOf(node['property'] as Node) === 'words';
    return isWords && heldBy(node['object'] as Node, names) === 'preferences' ? 'dictionary' : 'else';
  }
  const called = node.type === 'CallExpression' ? nameOf(node['callee'] as Node) : '';
  return called === 'useWords' ? 'dictionary' : called === 'usePreferences' ? 'preferences' : 'else';
}

/** Recognises the annotation `: Words`. */
function isTypedWords({ typeAnnotation: annotation }: Node): boolean {
  const type = (annotation as Node | null | undefined)?.['typeAnnotation'] as Node | undefined;
  return type?.type === 'TSTypeReference' && nameOf(type['typeName'] as Node) === 'Words';
}

const nameOf = (node: Node): string => String(node['name'] ?? '');
