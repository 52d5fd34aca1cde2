/** A complete statement with its parameters, ready for DuckDB. */
import { DUCKDB } from '../sql/duckdb.ts';
import { render, type Sql, type Value } from '../sql/index.ts';

export interface Compiled {
  sql: string;
  params: Value[];
  /** The columns of visits that the statement reads. */
  visitColumns: ReadonlySet<string>;
}

/** Renders a statement together with the relations that it names. */
export function compiled(statement: Sql): Compiled {
  const { text, params, refs } = render(statement, DUCKDB);
  const ofVisits = refs.filter(({ table }) => table === 'visits');
  return { sql: text, params, visitColumns: new Set(ofVisits.map(({ name }) => name)) };
}
