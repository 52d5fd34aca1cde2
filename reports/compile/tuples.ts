/** Dimensions of what a visit has: its hits, conversions, orders. A visit is joined with each combination of them once. */
import type { Level } from '../registry/index.ts';
import type { Build } from './build.ts';
import { matches } from './match.ts';
import type { Plan, Used, UsedFilter } from './plan.ts';
import { detailsOf } from './sources.ts';
import { termsOf } from './terms.ts';

/** An order and its lines are one kind: an order and a product at once are of the same order. */
export const KINDS = { hit: ['hit'], goal: ['goal'], sale: ['order', 'product'] } as const satisfies Record<
  string,
  readonly Level[]
>;
export type Kind = keyof typeof KINDS;

export const isOf =
  (kind: Kind) =>
  ({ dimension }: Pick<Used, 'dimension'>): boolean =>
    (KINDS[kind] as readonly Level[]).includes(dimension.level);

/** Kinds that a request groups or filters by. */
export function kindsOf({ dimensions, filters }: Pick<Plan, 'dimensions' | 'filters'>): Kind[] {
  return (Object.keys(KINDS) as Kind[]).filter((kind) => [...dimensions, ...filters].some(isOf(kind)));
}

/** Rows of a kind as `h`, `c`, or `o` and `l`. @param needed entries of the kind */
function rowsOfKind(
  build: Build,
  kind: Kind,
  needed: readonly Pick<Used, 'dimension'>[],
): { from: string; letter: string } {
  if (kind === 'hit') return { from: `${detailsOf(build, 'hit')} as h`, letter: 'h' };
  if (kind === 'goal') return { from: `${detailsOf(build, 'goal')} as c`, letter: 'c' };
  const orders = `${detailsOf(build, 'order')} as o`;
  if (!needed.some(({ dimension }) => dimension.level === 'product')) return { from: orders, letter: 'o' };
  const lines = `${detailsOf(build, 'product')} as l`;
  if (!needed.some(({ dimension }) => dimension.level === 'order')) return { from: lines, letter: 'l' };
  return {
    from: `${lines} join ${orders} on o.transaction_id = l.transaction_id and o.status = l.status`,
    letter: 'l',
  };
}

/** Conditions that filters on pages or goals or orders are of one row, and the only type of hits that is meant. */
export function detailConditions(
  build: Build,
  entries: readonly Pick<Used, 'dimension'>[],
  filters: readonly UsedFilter[],
): string[] {
  const types = new Set(entries.map(({ dimension }) => dimension.hitType).filter((type) => type !== null));
  return [
    ...[...types].map((type) => `h.type = '${type}'`),
    ...filters.map(({ dimension, param, filter }) =>
      matches(dimension, dimension.key(termsOf(build, param, {})), filter, build.bind),
    ),
  ];
}

export interface Flag {
  name: string;
  /** Of a row of the kind. @param letter the one that its rows have */
  sql(letter: string): string;
}

/**
 * The combinations of a kind that each visit has, once each.
 * @param plan its filters of the kind hold of the very row
 * @param dimensions those that stay columns, `d<index>`
 * @param flags whether one row of the combination is such a one
 */
export function tuples(
  build: Build,
  plan: Plan,
  kind: Kind,
  dimensions: readonly Used[],
  flags: readonly Flag[],
): string {
  const { letter, from } = wanted(build, plan, kind);
  const columns = dimensions
    .filter(isOf(kind))
    .map(({ dimension, param, index }) => `${dimension.key(termsOf(build, param, {}))} as d${index}`);
  const found = flags.map((flag) => `bool_or(${flag.sql(letter)}) as ${flag.name}`);
  return `(select ${[`${letter}.visit_id`, ...columns, ...found].join(', ')} ${from} group by all)`;
}

/** Visits that have one, some of them more than once. */
export function visitsOfKind(build: Build, plan: Plan, kind: Kind): string {
  const { letter, from } = wanted(build, plan, kind);
  return `(select ${letter}.visit_id ${from})`;
}

function wanted(build: Build, plan: Plan, kind: Kind): { letter: string; from: string } {
  const entries = [...plan.dimensions, ...plan.filters].filter(isOf(kind));
  const { from, letter } = rowsOfKind(build, kind, entries);
  const where = [
    `${letter}.visit_id is not null`,
    ...detailConditions(build, entries, plan.filters.filter(isOf(kind))),
  ];
  return { letter, from: `from ${from} where ${where.join(' and ')}` };
}
