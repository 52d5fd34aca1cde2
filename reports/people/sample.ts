/**
 * The tenth that a sample is made of, as domain/visitorBucket.ts has it. A person is in it by the bucket of its UUID,
 * that of the visitor or the one made of the user's id: of ids PostgreSQL and DuckDB would not agree on lower case.
 */
import { VISITOR_BUCKETS } from '../../domain/visitorBucket.ts';
import { literal } from '../lake/database.ts';
import { personOfUser } from './attributes.ts';

/**
 * Of what there is a tenth: of the visitors, or of the persons where a report tells them apart. Else whoever has several
 * visitors would be there as soon as one of them is, and count tenfold.
 */
export type Sample = 'visitors' | 'persons';

const SAMPLED_BUCKETS = VISITOR_BUCKETS / 10;
const IN_SAMPLE = `% ${VISITOR_BUCKETS} < ${SAMPLED_BUCKETS}`;

/** Of a row of the lake. The quota keeps visitors by the bucket's last digit, so the two are independent. @param bucket the column that has it */
export function isBucketInSample(bucket: string): string {
  return `${bucket} < ${SAMPLED_BUCKETS}`;
}

/** In PostgreSQL. @param visitor its UUID or the text of it */
export function isInSample(visitor: string): string {
  return `('x' || left(encode(sha256(convert_to(lower(${visitor}::text), 'UTF8')), 'hex'), 8))::bit(32)::bigint ${IN_SAMPLE}`;
}

/** In DuckDB. @param person UUID */
export function isPersonInSample(person: string): string {
  return `('0x' || left(sha256((${person})::VARCHAR), 8))::UINTEGER ${IN_SAMPLE}`;
}

/** In DuckDB; null of nobody. */
export function isUserInSample(userId: string): string {
  return isPersonInSample(personOfUser(userId));
}

/** In PostgreSQL. */
const isUserInSampleThere = (userId: string): string => isInSample(`md5(${userId})::uuid`);

/** In PostgreSQL, columns visitor_id and user_id: whom a site's visitors are linked to now, and ever were. */
function everLinked(siteId: string): string {
  const from = (table: string): string => `select visitor_id, user_id from ${table} where site_id = ${literal(siteId)}`;
  return `(${from('site_visitors')} and user_id is not null union all ${from('site_visitor_users')})`;
}

/** A query of PostgreSQL: the visitors who are, or once were, a user of the sample. */
export function visitorsOfSampledUsers(siteId: string): string {
  return `select distinct visitor_id from ${everLinked(siteId)} as linked where ${isUserInSampleThere('user_id')}`;
}

/**
 * In PostgreSQL: whether a sampled report may ask for a visitor's rows. Of persons these are more than are counted
 * (reports/compile/sample.ts).
 * @param visitor qualified
 */
export function isReadForSample(sample: Sample, siteId: string, visitor: string): string {
  if (sample === 'visitors') return isInSample(visitor);
  return `(${isInSample(visitor)} or exists (select from ${everLinked(siteId)} as linked where linked.visitor_id = ${visitor} and ${isUserInSampleThere('linked.user_id')}))`;
}
