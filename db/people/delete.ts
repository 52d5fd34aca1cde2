/** Deletions: a person becomes unreachable at once; the job `user-delete` removes what is stored. */
import type pg from 'pg';
import { identifierKey, type Identifier } from '../../domain/identity.ts';
import { PRIORITY } from '../../domain/queues.ts';
import { findIdentities } from '../identities.ts';
import { openJob } from '../jobs.ts';
import { lockIdentities, staleIdentity, withFreshIdentities } from './lock.ts';
import { memberIds } from './members.ts';

/**
 * Ends the generation of a person: of the user, or of the device when it is nobody's, and of every
 * device that belongs to him. None of their identifiers leads to him any more; the next event of one
 * opens a new generation.
 * @returns false when nobody is known by the identifier
 */
export async function deleteUser(
  pool: pg.Pool,
  projectId: string,
  identifier: Identifier,
  requestId: string | null,
): Promise<boolean> {
  return withFreshIdentities(pool, async (client) => {
    const rootId = (await findIdentities(client, projectId, [identifier])).get(identifierKey(identifier));
    if (rootId === undefined) return false;
    const [root] = await lockIdentities(client, projectId, [rootId]);
    // A device that was linked meanwhile is to be deleted with its user, who has to be locked first.
    if (!root || root.mergedInto !== null) throw staleIdentity();
    const ids = await memberIds(client, projectId, rootId);
    // No device can join any more: that takes the lock of the user.
    await lockIdentities(client, projectId, ids);
    await client.query({
      name: 'people-kill',
      text: 'update identities set dead_at = now() where project_id = $1 and id = any($2::bigint[])',
      values: [projectId, ids],
    });
    await openJob(client, { kind: 'user-delete', projectId, entityId: rootId, priority: PRIORITY.job, requestId });
    return true;
  });
}
