/**
 * Which rows count in a sample that tells persons apart. A row is in it with the person that its visitor is now (of a fact
 * without one, with its user), so that whole persons are there with all of their visitors. A visitor may have been
 * another user before: who is counted as the user that a row names is there by himself, with all rows that name him.
 */
import type { RowLevel } from '../registry/index.ts';
import { isBucketInSample, isUserInSample } from '../people/index.ts';
import type { Build } from './build.ts';
import { LETTER } from './sources.ts';

export interface SampledRows {
  /** Goes before the condition. */
  join: string;
  where: string;
  /** Of a row that `where` lets through: whether the user that it names is in the sample. Null where none is asked for. */
  isCounted: string | null;
}

/**
 * @param namedUser the column of the user who is counted before whoever the visitor is
 * @returns null where all rows that are read count
 */
export function sampledRows(build: Build, level: RowLevel, namedUser: string | null): SampledRows | null {
  if (build.sample !== 'persons') return null;
  const letter = LETTER[level];
  const byBucket = isBucketInSample(`${letter}.visitor_bucket`);
  const unlinked =
    level === 'visit' || level === 'hit'
      ? byBucket
      : `case when ${letter}.visitor_id is null then ${isUserInSample(`${letter}.user_id`)} else ${byBucket} end`;
  const byVisitor = `coalesce(sampled.is_in_sample, ${unlinked})`;
  const byUser = namedUser === null ? null : `coalesce(${isUserInSample(namedUser)}, ${byVisitor})`;
  return {
    join: `left join linked_visitors as sampled on sampled.visitor_id = ${letter}.visitor_id`,
    where: byUser === null ? byVisitor : `(${byVisitor} or ${byUser})`,
    isCounted: byUser,
  };
}
