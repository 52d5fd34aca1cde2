/** Sites are distributed among ingest workers by shard: one loop works on a shard at a time. */
import { createHash } from 'node:crypto';

/** More than the number of ingest workers anybody runs. A change requires an empty inbox and no staged batches. */
export const SHARDS = 16;

/** Returns the shard of a site, from 0 to {@link SHARDS} − 1. */
export function shardOf(siteId: string): number {
  return createHash('sha256').update(siteId).digest().readUInt32BE(0) % SHARDS;
}
