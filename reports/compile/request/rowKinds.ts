/** The kinds of rows that a visit has several of: hits, conversions, and orders with their lines. */
import type { Level } from '../../registry/index.ts';
import type { ResolvedRequest, ResolvedDimension } from './resolvedRequest.ts';

/** An order and its lines are one kind: if a report asks for an order and a product, both must be of the same order. */
const KINDS = { hit: ['hit'], goal: ['goal'], sale: ['order', 'product'] } as const satisfies Record<
  string,
  readonly Level[]
>;
export type Kind = keyof typeof KINDS;
export type RowsOfKind = (typeof KINDS)[Kind][number];

export const isOf =
  (kind: Kind) =>
  ({ dimension }: Pick<ResolvedDimension, 'dimension'>): boolean =>
    (KINDS[kind] as readonly Level[]).includes(dimension.level);

/** Returns the kinds that a request groups or filters by. */
export function kindsOf({ dimensions, filters }: Pick<ResolvedRequest, 'dimensions' | 'filters'>): Kind[] {
  return (Object.keys(KINDS) as Kind[]).filter((kind) => [...dimensions, ...filters].some(isOf(kind)));
}
