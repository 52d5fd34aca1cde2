/** The conditions of a segment as a tree of groups, which the editor changes, and in their stored form. */
import type { cabinet } from '../client.ts';
import { exhaustiveList } from '../exhaustiveList.ts';
import type { Conditions, Filter } from './reportAddress.ts';

export type Condition = cabinet.ReportCondition;
export type Comparison = Extract<Condition, { metric: unknown }>['op'];
export const COMPARISONS = exhaustiveList<Comparison>({
  gt: true,
  gte: true,
  lt: true,
  lte: true,
  eq: true,
  neq: true,
});
export type Scope = NonNullable<Exclude<Conditions, readonly unknown[]>['scope']>;
export const SCOPES = exhaustiveList<Scope>({ visit: true, visitor: true });
/** `none`: none of its members holds. */
export const JOINS = ['all', 'any', 'none'] as const;
export type Join = (typeof JOINS)[number];

export interface FilterLeaf extends Filter {
  kind: 'filter';
}
export interface MetricLeaf {
  kind: 'metric';
  metric: string;
  op: Comparison;
  /** As typed. */
  value: string;
}
export interface Group {
  kind: 'group';
  join: Join;
  members: readonly Node[];
}
export type Leaf = FilterLeaf | MetricLeaf;
export type Node = Leaf | Group;

export interface Draft {
  scope: Scope;
  root: Group;
}

/** The path to a node: the index of each member on it. */
export type Path = readonly number[];

export const EMPTY: Draft = { scope: 'visit', root: { kind: 'group', join: 'all', members: [] } };

/**
 * Returns the tree of stored conditions, with the same meaning. It has no more levels of groups than the conditions, or
 * one level if they have none.
 */
export function draftOf(conditions: Conditions): Draft {
  if (Array.isArray(conditions)) return { scope: 'visit', root: rootOf(conditions) };
  const { scope = 'visit', ...condition } = conditions;
  return { scope, root: rootOf(condition as Condition) };
}

function rootOf(condition: Condition): Group {
  const node = nodeOf(condition);
  return node.kind === 'group' ? node : { kind: 'group', join: 'all', members: [node] };
}

function nodeOf(condition: Condition): Node {
  if (Array.isArray(condition)) return groupOf('all', condition);
  if ('all' in condition) return groupOf('all', condition.all);
  if ('any' in condition) return groupOf('any', condition.any);
  if ('not' in condition) return negated(condition.not);
  if ('metric' in condition)
    return { kind: 'metric', metric: condition.metric, op: condition.op, value: String(condition.value) };
  return { kind: 'filter', dimension: condition.dimension, op: condition.op, values: condition.values };
}

const groupOf = (join: Join, members: readonly Condition[]): Group => ({
  kind: 'group',
  join,
  members: members.map(nodeOf),
});

function negated(condition: Condition): Group {
  const node = nodeOf(condition);
  return node.kind === 'group' && node.join === 'any' && node.members.length > 1
    ? { ...node, join: 'none' }
    : { kind: 'group', join: 'none', members: [node] };
}

/**
 * Returns the stored form.
 * @param draft without faults
 */
export function conditionsOf({ scope, root }: Draft): Conditions {
  const condition = conditionOf(root) as Exclude<Conditions, unknown[]>;
  return scope === 'visitor' ? { ...condition, scope } : condition;
}

function conditionOf(node: Node): Condition {
  if (node.kind === 'metric')
    return { metric: node.metric, op: node.op, value: Number(node.value.trim().replace(',', '.')) };
  if (node.kind === 'filter') return { dimension: node.dimension, op: node.op, values: [...node.values] };
  const members = node.members.map(conditionOf);
  if (node.join === 'all') return { all: members };
  if (node.join === 'any') return { any: members };
  const [only] = members;
  return { not: members.length === 1 && only !== undefined ? only : { any: members } };
}

/** Returns the depth of nested groups, as counted by the server: "none of several" is two. */
export function depthOf(node: Node): number {
  if (node.kind !== 'group') return 0;
  const own = node.join === 'none' && node.members.length > 1 ? 2 : 1;
  return own + Math.max(0, ...node.members.map(depthOf));
}

export function leavesOf(node: Node): readonly Leaf[] {
  return node.kind === 'group' ? node.members.flatMap(leavesOf) : [node];
}

/** Returns the tree with one node replaced. */
export function replacedAt(root: Group, path: Path, change: (node: Node) => Node): Group {
  return at(root, path, change) as Group;
}

function at(node: Node, [first, ...rest]: Path, change: (node: Node) => Node): Node {
  if (first === undefined) return change(node);
  if (node.kind !== 'group') return node;
  return {
    ...node,
    members: node.members.map((member, index) => (index === first ? at(member, rest, change) : member)),
  };
}

export function addedTo(root: Group, path: Path, node: Node): Group {
  return replacedAt(root, path, (group) =>
    group.kind === 'group' ? { ...group, members: [...group.members, node] } : group,
  );
}

/** Removes a node, and groups that become empty, except the root. */
export function removedAt(root: Group, path: Path): Group {
  const parent = path.slice(0, -1);
  const last = path.at(-1);
  const next = replacedAt(root, parent, (group) =>
    group.kind === 'group' ? { ...group, members: group.members.filter((_, index) => index !== last) } : group,
  );
  return parent.length > 0 && isEmptyAt(next, parent) ? removedAt(next, parent) : next;
}

function isEmptyAt(node: Node, [first, ...rest]: Path): boolean {
  if (node.kind !== 'group') return false;
  if (first === undefined) return node.members.length === 0;
  const member = node.members[first];
  return member !== undefined && isEmptyAt(member, rest);
}

/** The fault of a draft; null if the server accepts it. */
export type DraftFault = 'empty' | 'unfinished' | 'too_deep' | 'too_many';

export function faultOfDraft({ root }: Draft, limits: cabinet.ReportFields['limits']): DraftFault | null {
  const leaves = leavesOf(root);
  if (leaves.length === 0) return 'empty';
  if (leaves.length > limits.segment_leaves) return 'too_many';
  if (depthOf(root) > limits.segment_depth) return 'too_deep';
  return leaves.every(isFinished) && hasNoEmptyGroup(root) ? null : 'unfinished';
}

/** As JavaScript writes any number, so that a stored one is complete: `1e-7`. */
const NUMBER = /^-?\d+(?:[.,]\d+)?(?:e[+-]?\d{1,3})?$/;

/** Returns whether a condition is complete. */
export function isFinished(leaf: Leaf): boolean {
  if (leaf.kind === 'metric') return NUMBER.test(leaf.value.trim());
  return leaf.values.length > 0 && leaf.values.some((value) => value !== '');
}

function hasNoEmptyGroup(node: Node): boolean {
  return node.kind !== 'group' || (node.members.length > 0 && node.members.every(hasNoEmptyGroup));
}

/**
 * Returns the conditions that a row of a report meets: its labels, in addition to the report's filters. Unknown labels
 * are ignored.
 */
export function conditionsOfRow(
  by: readonly string[],
  labels: readonly cabinet.ReportRow['dimensions'][number][],
  where: readonly Filter[],
): Filter[] {
  const own = by.flatMap((dimension, index): Filter[] => {
    const label = labels[index] ?? null;
    const code = typeof label === 'object' && label !== null ? label.id : label;
    return code === null ? [] : [{ dimension, op: 'eq', values: [code] }];
  });
  return [...own, ...where];
}
