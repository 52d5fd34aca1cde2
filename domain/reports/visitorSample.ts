/** Assigns visitors to 10,000 buckets, so that any share of them can be selected, such as the tenth of a sample. */
import { createHash } from 'node:crypto';

export const VISITOR_BUCKETS = 10_000;
/** A sample of a report keeps one in this number of visitors or persons. */
export const SAMPLE_ONE_IN = 10;
/** Visitors and persons in the buckets below this number are the sample. */
export const SAMPLED_BUCKETS = VISITOR_BUCKETS / SAMPLE_ONE_IN;

/**
 * Returns the permanent bucket of a visitor, 0–9999, by which reports and the daily quota keep whole visitors. It is a
 * hash, because a tracker may number its visitors. Reports that distinguish persons keep whole persons by the bucket of
 * their UUID (reports/people/personSample.ts).
 */
export function visitorBucket(visitorId: string): number {
  return createHash('sha256').update(visitorId.toLowerCase()).digest().readUInt32BE(0) % VISITOR_BUCKETS;
}
