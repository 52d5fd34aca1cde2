/**
 * The rows that count in a sample of persons. A row counts if the current person of its visitor is in the sample (for a
 * fact without a visitor, its user), so a sampled person is included with all of its visitors. A visitor may have been
 * another user before. Users named by rows are therefore sampled by their own id, with all rows that name them.
 */
import { COLUMNS, type RowLevel } from '../../registry/index.ts';
import { call, column, sql, type Sql } from '../../sql/index.ts';
import type { Compilation } from '../context/compileContext.ts';
import type { Join } from './joins.ts';
import { isFact } from './periodRows.ts';

export interface SampledRows {
  join: Join;
  where: Sql;
  /** The condition that the user named by the row is in the sample; null if the scan does not count such users. */
  isCounted: Sql | null;
}

/**
 * @param namedUser the column of the user whom a row names, if the scan counts such users
 * @returns null if all rows that are read count
 */
export function sampledRows(compilation: Compilation, level: RowLevel, namedUser: Sql | null): SampledRows | null {
  if (compilation.sample !== 'persons') return null;
  const { visitor_bucket: bucket, visitor_id: visitor } = COLUMNS[level];
  const byBucket = call('isBucketInSample', bucket);
  const unlinked = isFact(level)
    ? sql`case when ${visitor} is null then ${call('isUserInSample', COLUMNS[level].user_id)} else ${byBucket} end`
    : byBucket;
  const byVisitor = sql`coalesce(${column('sampled', 'is_in_sample')}, ${unlinked})`;
  const byUser = namedUser === null ? null : sql`coalesce(${call('isUserInSample', namedUser)}, ${byVisitor})`;
  return {
    join: {
      alias: 'sampled',
      clause: sql`left join linked_visitors as sampled on sampled.visitor_id = ${visitor}`,
      isNeeded: false,
    },
    where: byUser === null ? byVisitor : sql`(${byVisitor} or ${byUser})`,
    isCounted: byUser,
  };
}
