/** Who a row is of, and what is told of him: joins with the tables that loadPeople (reports/people/) makes. */
import { MULTIPLE, personOfUser } from '../people/attributes.ts';
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
  return { join: `left join linked_visitors as linked on linked.visitor_id = ${visitor}`, person: `coalesce(${own}linked.person, ${visitor})` };
}

/** An attribute of people; with its key where it is visitor_param. */
export interface Asked {
  attribute: string;
  param: string | null;
}

/**
 * What is told of the attribute. A row of a person with several values is there once for each; value and source of a row
 * are of one another. Where nothing is told both are null.
 * @param person as {@link personOf} gives it, whose join goes before
 * @param use `source`: nobody asks for the value, and a person is there once for each source
 */
export function toldJoin(asked: Asked, person: string, alias: string, bind: Bind, use: 'value' | 'source' = 'value'): { join: string; told: { value: string; source: string } } {
  const isOnce = use === 'source' && MULTIPLE.has(asked.attribute);
  const columns = isOnce ? 'distinct person, null::VARCHAR as value, source' : 'person, value, source';
  return {
    join: `left join (select ${columns} from told_values where ${isAsked(asked, bind)}) as ${alias} on ${alias}.person = ${person}`,
    told: { value: `${alias}.value`, source: `${alias}.source` },
  };
}

/** Condition on `told_values`. */
export function isAsked({ attribute, param }: Asked, bind: Bind): string {
  return `attribute = ${bind(attribute)}${param === null ? '' : ` and param = ${bind(param)}`}`;
}
