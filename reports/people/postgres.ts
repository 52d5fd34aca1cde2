/** Queries that PostgreSQL runs and DuckDB reads; `pg` is our PostgreSQL, attached. */
import { SITES_DATABASE } from '../lake/database.ts';
import { quotedText } from '../sql/quotedText.ts';

/** Returns a list of literals for `in (…)` in PostgreSQL. */
export function literals(texts: readonly string[]): string {
  return texts.map(quotedText).join(', ');
}

/** Returns a relation of DuckDB. DuckDB's own scan would read a table of all sites in parts instead of by its index. */
export function fromPostgres(query: string): string {
  return `postgres_query('${SITES_DATABASE}', ${quotedText(query)})`;
}
