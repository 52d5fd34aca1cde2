/** Queries that PostgreSQL runs and DuckDB reads: `pg` is our PostgreSQL, attached. */
import { literal, SITES_DATABASE } from '../lake/database.ts';

/** A list of literals for `in (…)` of PostgreSQL. */
export function literals(texts: readonly string[]): string {
  return texts.map(literal).join(', ');
}

/** A relation of DuckDB. A scan of DuckDB's own would read a table of all sites by parts instead of by its index. */
export function fromPostgres(query: string): string {
  return `postgres_query('${SITES_DATABASE}', ${literal(query)})`;
}
