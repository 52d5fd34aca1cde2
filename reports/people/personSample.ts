/**
 * The tenth that a sample consists of, as in domain/reports/visitorSample.ts. A person is sampled by the bucket of its
 * UUID: the visitor's, or the one derived from the user's id. PostgreSQL and DuckDB would disagree on the lower case of
 * the ids themselves.
 */
import { SAMPLED_BUCKETS, VISITOR_BUCKETS } from '../../domain/reports/visitorSample.ts';
import { quotedText } from '../sql/quotedText.ts';

/**
 * The unit of the sample: visitors, or persons if a report identifies them. Otherwise a person with several visitors
 * would be sampled as soon as one of them is, and count tenfold.
 */
export type Sample = 'visitors' | 'persons';

const IN_SAMPLE = `% ${VISITOR_BUCKETS} < ${SAMPLED_BUCKETS}`;

/**
 * Returns the condition in PostgreSQL.
 * @param visitor its UUID or the text of it
 */
export function isInSample(visitor: string): string {
  return `('x' || left(encode(sha256(convert_to(lower(${visitor}::text), 'UTF8')), 'hex'), 8))::bit(32)::bigint ${IN_SAMPLE}`;
}

/** The condition on a user in PostgreSQL. */
const isUserInSampleInPostgres = (userId: string): string => isInSample(`md5(${userId})::uuid`);

/** Returns PostgreSQL SQL with columns visitor_id and user_id: the current and former links of a site's visitors. */
function everLinked(siteId: string): string {
  const from = (table: string): string =>
    `select visitor_id, user_id from ${table} where site_id = ${quotedText(siteId)}`;
  return `(${from('site_visitors')} and user_id is not null union all ${from('site_visitor_users')})`;
}

/** Returns a PostgreSQL query for the visitors that are or were linked to a sampled user. */
export function visitorsOfSampledUsers(siteId: string): string {
  return `select distinct visitor_id from ${everLinked(siteId)} as linked where ${isUserInSampleInPostgres('user_id')}`;
}

/**
 * Returns the PostgreSQL condition for a visitor whose rows a sampled report may need. In a sample of persons, more
 * visitors are read than are counted (reports/compile/rows/sampledRows.ts).
 * @param visitor the qualified name of its column
 */
export function isReadForSample(sample: Sample, siteId: string, visitor: string): string {
  if (sample === 'visitors') return isInSample(visitor);
  return `(${isInSample(visitor)} or exists (select from ${everLinked(siteId)} as linked where linked.visitor_id = ${visitor} and ${isUserInSampleInPostgres('linked.user_id')}))`;
}
