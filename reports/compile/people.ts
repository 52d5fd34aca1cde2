/** Who a row is of, and what is told of him: of the tables that loadPeople (reports/people/) makes. */
import { personOfUser } from '../people/attributes.ts';
import type { Bind } from './match.ts';

/** Columns of a row, as SQL. */
export interface Owner {
  visitor: string;
  /** Of a fact: the user that it was told of, who may have had no visitor. */
  user?: string;
}

/** The user that the visitor is linked to now, else the visitor; of a fact its own user before its visitor's. */
export function personOf({ visitor, user }: Owner): { join: string; person: string } {
  const own = user === undefined ? '' : `${personOfUser(user)}, `;
  return {
    join: `left join linked_visitors as linked on linked.visitor_id = ${visitor}`,
    person: `coalesce(${own}linked.person, ${visitor})`,
  };
}

/** An attribute of people; with its key where it is visitor_param. */
export interface AskedAttribute {
  attribute: string;
  param: string | null;
}

/** Condition on `told_values`. */
export function isAsked({ attribute, param }: AskedAttribute, bind: Bind): string {
  return `attribute = ${bind(attribute)}${param === null ? '' : ` and param = ${bind(param)}`}`;
}
