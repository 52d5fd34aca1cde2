/**
 * Deletions: a person becomes unreachable at once; the job `user-delete` removes the stored data, except for anonymous
 * sums per item (purge.ts).
 */
import type pg from 'pg';
import type { Identifier } from '../../domain/people/identity.ts';
import { subjectHash } from '../../domain/privacy/deletionLedger.ts';
import { PRIORITY } from '../../domain/jobs/queues.ts';
import { recordDeletions, type NewLedgerEntry } from './deletionLedger.ts';
import { deleteSampledPeople } from './experimentPeople.ts';
import { deleteRejections } from '../events/rejections.ts';
import { findIdentities } from '../identities/identities.ts';
import { openJob } from '../jobs/jobs.ts';
import { withFreshLookups } from '../staleLookups.ts';
import { lockIdentities, lockUsers, staleIdentity } from './lock.ts';
import { memberIds } from '../identities/identitiesOfPerson.ts';

export interface UserDeletion {
  projectId: string;
  identifiers: readonly Identifier[];
  requestId: string | null;
  /** The derived key `deletion-ledger`; null when the ledger itself requests the deletion. */
  ledgerKey: Buffer | null;
}

/**
 * Ends the generation of every person whom one of the identifiers names: of a user with all of their devices, or of a
 * device alone when it belongs to nobody. None of their identifiers leads to them any more; the next event with one
 * opens a new generation.
 * @returns false when all of the identifiers are unknown
 */
export async function deleteUser(
  pool: pg.Pool,
  { projectId, identifiers, requestId, ledgerKey }: UserDeletion,
): Promise<boolean> {
  return withFreshLookups(pool, async (client) => {
    const rootIds = [...new Set((await findIdentities(client, projectId, identifiers)).values())];
    if (rootIds.length === 0) {
      await deleteNamed(client, projectId, identifiers);
      return false;
    }
    const ids = await lockPersons(client, projectId, rootIds);
    const ended = await endGeneration(client, projectId, ids);
    await deleteNamed(client, projectId, [...identifiers, ...ended]);
    if (ledgerKey !== null)
      await recordDeletions(
        client,
        ended.map((each) => entryOf(ledgerKey, projectId, each)),
      );
    for (const entityId of rootIds)
      await openJob(client, { kind: 'user-delete', projectId, entityId, priority: PRIORITY.job, requestId });
    return true;
  });
}

/**
 * Deletes what is stored under the identifiers themselves. It comes after the locks of the identities, once for all of
 * them: another deletion of the same people may hold some of these rows and wait for the identities.
 */
async function deleteNamed(
  client: pg.PoolClient,
  projectId: string,
  identifiers: readonly Identifier[],
): Promise<void> {
  await deleteRejections(client, projectId, identifiers);
  await deleteSampledPeople(client, projectId, identifiers);
}

function entryOf(key: Buffer, tenantId: string, { kind, externalId }: Identifier): NewLedgerEntry {
  return { tenantId, kind, hash: subjectHash(key, { tenantId, kind, id: externalId }) };
}

/**
 * Locks persons with all of their devices. The users come first: while a user is locked, no device can join them.
 * @returns the ids of all of their identities
 * @throws {StaleLookupError} when one of them was deleted in the meantime, or linked: then the user must be deleted as
 * well
 */
async function lockPersons(client: pg.PoolClient, projectId: string, rootIds: readonly string[]): Promise<string[]> {
  await lockUsers(client, projectId, rootIds);
  const members: string[] = [];
  for (const rootId of rootIds) {
    const own = await memberIds(client, projectId, rootId);
    if (own.length === 0) throw staleIdentity();
    members.push(...own);
  }
  const roots = new Set(rootIds);
  const locked = await lockIdentities(client, projectId, members);
  if (locked.some(({ id, mergedInto }) => roots.has(id) && mergedInto !== null)) throw staleIdentity();
  return locked.map(({ id }) => id);
}

/** Ends the generation that these identities form. @returns the identifiers that led to them */
async function endGeneration(client: pg.PoolClient, projectId: string, ids: readonly string[]): Promise<Identifier[]> {
  const { rows } = await client.query<Identifier>({
    name: 'people-kill',
    text: `update identities set dead_at = now() where project_id = $1 and id = any($2::bigint[])
           returning kind, external_id as "externalId"`,
    values: [projectId, ids],
  });
  return rows;
}
