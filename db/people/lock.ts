/**
 * Mutual exclusion of changes of people. Links, deletions and profile writes lock the identities that they change:
 * users first, then devices, each by id, so that they never deadlock. Intake of events and orders takes no such lock,
 * and the locks do not conflict with foreign keys.
 */
import type pg from 'pg';
import type { IdentityKind } from '../../domain/people/identity.ts';
import { StaleLookupError } from '../staleLookups.ts';

export interface LockedIdentity {
  id: string;
  kind: IdentityKind;
  /** The user to whom a device belongs. */
  mergedInto: string | null;
}

export const staleIdentity = (): StaleLookupError =>
  new StaleLookupError('an identity was deleted or linked meanwhile');

/** Locks those of the identities that are users, not devices, until the end of the transaction. */
export async function lockUsers(client: pg.PoolClient, projectId: string, ids: readonly string[]): Promise<void> {
  await client.query({
    name: 'identities-lock-users',
    text: `select from identities where project_id = $1 and id = any($2::bigint[]) and kind = 'user' order by id for no key update`,
    values: [projectId, ids],
  });
}

/**
 * Locks identities until the end of the transaction, in the common order.
 * @throws {StaleLookupError} when one of them has been deleted; `withFreshLookups` begins again
 */
export async function lockIdentities(
  client: pg.PoolClient,
  projectId: string,
  ids: readonly string[],
): Promise<LockedIdentity[]> {
  const { rows } = await client.query<LockedIdentity & { isDead: boolean }>({
    name: 'identities-lock',
    text: `select id, kind, merged_into as "mergedInto", dead_at is not null as "isDead"
             from identities where project_id = $1 and id = any($2::bigint[])
            order by kind = 'user' desc, id for no key update`,
    values: [projectId, ids],
  });
  if (rows.some(({ isDead }) => isDead)) throw staleIdentity();
  return rows.map(({ id, kind, mergedInto }) => ({ id, kind, mergedInto }));
}
