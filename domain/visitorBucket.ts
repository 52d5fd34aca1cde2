/** Which tenth, hundredth or ten-thousandth of all visitors one belongs to. */
import { createHash } from 'node:crypto';

export const VISITOR_BUCKETS = 10_000;

/**
 * The bucket of a visitor, 0–9999, the same for ever: reports and the daily quota keep whole visitors by it.
 * Hashed, because a tracker may number its visitors. Reports that tell persons apart keep whole persons by that of their
 * UUID (reports/people/sample.ts).
 */
export function visitorBucket(visitorId: string): number {
  return createHash('sha256').update(visitorId.toLowerCase()).digest().readUInt32BE(0) % VISITOR_BUCKETS;
}
