/** A complete statement with its parameters, ready for the engine whose dialect it has. */
import { render, type Dialect, type Sql, type Value } from '../sql/index.ts';

export interface Compiled {
  sql: string;
  params: Value[];
  /** The columns of visits that the statement reads. */
  visitColumns: ReadonlySet<string>;
}

/** Renders a statement together with the relations that it names. */
export function compiled(statement: Sql, dialect: Dialect): Compiled {
  const { text, params, refs } = render(statement, dialect);
  const ofVisits = refs.filter(({ table }) => table === 'visits');
  return { sql: text, params, visitColumns: new Set(ofVisits.map(({ name }) => name)) };
}
