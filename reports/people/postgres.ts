/** Queries that PostgreSQL runs and DuckDB reads: `pg` is our PostgreSQL, attached. */
import { VISITOR_BUCKETS } from '../../domain/visitorBucket.ts';
import { literal, SITES_DATABASE } from '../lake/database.ts';

/** A list of literals for `in (…)` of PostgreSQL. */
export function literals(texts: readonly string[]): string {
  return texts.map(literal).join(', ');
}

/** In PostgreSQL, as domain/visitorBucket.ts has it: whether a visitor is of the tenth that a sample is made of. @param visitor its UUID or the text of it */
export function isInSample(visitor: string): string {
  return `('x' || left(encode(sha256(convert_to(lower(${visitor}::text), 'UTF8')), 'hex'), 8))::bit(32)::bigint % ${VISITOR_BUCKETS} < ${VISITOR_BUCKETS / 10}`;
}

/** A relation of DuckDB. A scan of DuckDB's own would read a table of all sites by parts instead of by its index. */
export function fromPostgres(query: string): string {
  return `postgres_query('${SITES_DATABASE}', ${literal(query)})`;
}
