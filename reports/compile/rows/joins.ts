/** Chooses the relations that rows are joined with. */
import { references, type Sql } from '../../sql/index.ts';

export interface Join {
  /** The name of the relation in expressions. */
  alias: string;
  clause: Sql;
  /** Whether it is joined even if nothing names it, because it leaves out or repeats rows. */
  isNeeded: boolean;
}

/**
 * Returns the joins that are needed, or that the select or another chosen join names.
 * @param joins in their order; each may name those before it
 * @param named everything else in the select
 */
export function neededJoins(joins: readonly Join[], named: readonly Sql[]): Sql[] {
  const needed: Sql[] = [];
  for (const { alias, clause, isNeeded } of joins.toReversed())
    if (isNeeded || [...named, ...needed].some((one) => references(one, alias))) needed.push(clause);
  return needed.toReversed();
}
