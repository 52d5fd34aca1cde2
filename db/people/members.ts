/** The identities of one person: the user and the devices that belong to him. */
import type { Queryable } from '../pool.ts';

/**
 * A person's identities, dead ones included: project $1, `root` an expression. Two parts and no `or`, which a plan
 * made for a small table would answer from all identities of the project.
 */
export const membersOf = (root: string): string => `
  select id, dead_at from identities where project_id = $1 and id = ${root}
  union all
  select id, dead_at from identities where project_id = $1 and merged_into = ${root}`;

/**
 * Every identity under which history of a person may be stored: `rootId` and whatever was merged into
 * it. Readers ask with all of them, so that a link shows at once, long before its rows are rewritten.
 * @returns ids (decimal), the root first; empty when the person was deleted
 */
export async function memberIds(pool: Queryable, projectId: string, rootId: string): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>({
    name: 'people-members',
    text: `select id from (${membersOf('$2')}) as member where dead_at is null order by id <> $2, id`,
    values: [projectId, rootId],
  });
  return rows.map(({ id }) => id);
}
