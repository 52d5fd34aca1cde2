/** Checks whether the keys of a project are accepted. */
import type { Queryable } from './pool.ts';

/**
 * Returns true when neither the project nor its client is stopped; null when there is no such project.
 * @param isLocked true makes whoever stops one of the two wait for the end of this transaction
 */
export async function isProjectActive(
  client: Queryable,
  id: string,
  { isLocked = false }: { isLocked?: boolean } = {},
): Promise<boolean | null> {
  const { rows } = await client.query<{ isActive: boolean }>(
    `select p.state = 'active' and c.state = 'active' as "isActive"
       from projects p join clients c on c.id = p.client_id where p.id = $1 ${isLocked ? 'for share of p, c' : ''}`,
    [id],
  );
  return rows[0]?.isActive ?? null;
}
