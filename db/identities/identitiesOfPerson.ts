/** The identities of one person: the user and the devices that belong to them. */
import type { Queryable } from '../pool.ts';

/**
 * Returns a query of a person's identities, including dead ones: project $1, `root` an expression. It has two parts
 * instead of an `or`, for which a plan made for a small table would read all identities of the project.
 */
export const identitiesOfPerson = (root: string): string => `
  select id, dead_at from identities where project_id = $1 and id = ${root}
  union all
  select id, dead_at from identities where project_id = $1 and merged_into = ${root}`;

/**
 * Returns every identity under which history of a person may be stored: `rootId` and everything that was merged into
 * it. Readers query with all of them, so that a link takes effect at once, long before its rows are rewritten.
 * @returns ids (decimal), the root first; empty when the person was deleted
 */
export async function memberIds(pool: Queryable, projectId: string, rootId: string): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>({
    name: 'people-members',
    text: `select id from (${identitiesOfPerson('$2')}) as member where dead_at is null order by id <> $2, id`,
    values: [projectId, rootId],
  });
  return rows.map(({ id }) => id);
}
