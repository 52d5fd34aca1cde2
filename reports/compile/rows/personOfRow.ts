/** Looks up the person of a row in the tables that loadPeople (reports/people/) creates. */
import { call, column, NOTHING, sql, type Sql } from '../../sql/index.ts';
import type { Join } from './joins.ts';

/** The columns of a row that identify its owner. */
export interface Owner {
  visitor: Sql;
  /** The user of a fact; only facts have one, and some of those have no visitor. */
  user?: Sql;
}

/** The alias of the visitor's link in {@link personOf}. */
export const LINKED = 'linked';

/**
 * Returns the person: the user that the visitor is linked to now, or else the visitor. A fact's own user takes
 * precedence.
 */
export function personOf({ visitor, user }: Owner): { join: Join; person: Sql } {
  const own = user === undefined ? NOTHING : sql`${call('personOfUser', user)}, `;
  return {
    join: {
      alias: LINKED,
      clause: sql`left join linked_visitors as linked on linked.visitor_id = ${visitor}`,
      isNeeded: false,
    },
    person: sql`coalesce(${own}${column(LINKED, 'person')}, ${visitor})`,
  };
}

/** An attribute of people; visitor_param has a key. */
export interface AttributeKey {
  attribute: string;
  param: string | null;
}

/** Returns a condition on `effective_values`. */
export function attributeCondition({ attribute, param }: AttributeKey): Sql {
  return sql`attribute = ${attribute}${param === null ? NOTHING : sql` and param = ${param}`}`;
}
