/** Deletes again the people in the ledger whom an older backup has restored. */
import type pg from 'pg';
import { findDeleted, listLedgerTenants } from '../../../db/people/deletionLedger.ts';
import { deleteAllSamples } from '../../../db/people/experimentPeople.ts';
import { deleteUser } from '../../../db/people/deleteUser.ts';
import { listKnownIdentities } from '../../../db/people/knownPeople.ts';
import { purgeChunk } from '../../../db/people/purge.ts';
import { listKnownUsers, listKnownVisitors, type KnownSubject } from '../../../db/sitePeople/knownSitePeople.ts';
import {
  listOpenUserDeletions,
  purgeUser,
  requestUserDeletion,
  requestVisitorsOfUsers,
} from '../../../db/siteDeletions/userDeletions.ts';
import { purgeVisitor } from '../../../db/siteDeletions/purgeVisitor.ts';
import { listOpenVisitorDeletions, requestVisitorDeletion } from '../../../db/siteDeletions/visitorDeletionRequests.ts';
import { listDeletedRoots } from '../../../db/people/deletedRoots.ts';
import { subjectHash, type DeletedKind } from '../../../domain/privacy/deletionLedger.ts';

/** Number of candidates that are looked up at a time. */
const PAGE = 5_000;
/** Rows per transaction, as in the workflow. */
const CHUNK = 5_000;
const NIL_UUID = '00000000-0000-0000-0000-000000000000';

export interface Replayed {
  identities: number;
  visitors: number;
  users: number;
}

/**
 * Deletes again everybody who existed at the time of their deletion in the ledger. PostgreSQL's rows are deleted at
 * once, the lake's by the next run of the schedule `visitor-deletions`.
 * @param key key of purpose `deletion-ledger`
 */
export async function replayDeletions(pool: pg.Pool, key: Buffer): Promise<Replayed> {
  let identities = 0;
  for (const projectId of await listLedgerTenants(pool, ['user', 'anonymous', 'fingerprint']))
    identities += await replayProject(pool, key, projectId);
  let [visitors, users] = [0, 0];
  for (const siteId of await listLedgerTenants(pool, ['site-visitor', 'site-user'])) {
    visitors += await replaySite(pool, key, siteId, 'site-visitor');
    users += await replaySite(pool, key, siteId, 'site-user');
  }
  await purgeSites(pool);
  await deleteAllSamples(pool);
  return { identities, visitors, users };
}

async function replayProject(pool: pg.Pool, key: Buffer, projectId: string): Promise<number> {
  let count = 0;
  for (let after = '0'; ;) {
    const page = await listKnownIdentities(pool, projectId, after, PAGE);
    const candidates = page.map(({ kind, externalId: id, since }) => ({
      kind,
      since,
      hash: subjectHash(key, { tenantId: projectId, kind, id }),
    }));
    for (const index of await findDeleted(pool, projectId, candidates)) {
      const identifier = page[index];
      // A device that was already deleted with its user no longer exists.
      if (identifier && (await deleteAgain(pool, projectId, identifier))) count += 1;
    }
    after = page.at(-1)?.id ?? after;
    if (page.length < PAGE) break;
  }
  for (const rootId of await listDeletedRoots(pool, projectId)) await purgeAll(pool, projectId, rootId);
  return count;
}

function deleteAgain(
  pool: pg.Pool,
  projectId: string,
  identifier: { kind: 'user' | 'anonymous' | 'fingerprint'; externalId: string },
): Promise<boolean> {
  return deleteUser(pool, { projectId, identifiers: [identifier], requestId: null, ledgerKey: null });
}

/**
 * Deletes all rows of a person in one pass, which finds everything, because nothing writes while a backup is being
 * restored.
 */
async function purgeAll(pool: pg.Pool, projectId: string, rootId: string): Promise<void> {
  for (;;) {
    const { state } = await purgeChunk(pool, { projectId, rootId, limit: CHUNK, isLastPass: true });
    if (state !== 'more') return;
  }
}

const LISTS: Record<'site-visitor' | 'site-user', { first: string; list: typeof listKnownUsers }> = {
  'site-visitor': { first: NIL_UUID, list: listKnownVisitors },
  'site-user': { first: '', list: listKnownUsers },
};

async function replaySite(
  pool: pg.Pool,
  key: Buffer,
  siteId: string,
  kind: DeletedKind & ('site-visitor' | 'site-user'),
): Promise<number> {
  const { first, list } = LISTS[kind];
  let count = 0;
  for (let after = first; ;) {
    const page: KnownSubject[] = await list(pool, siteId, after, PAGE);
    const candidates = page.map(({ id, since }) => ({
      kind,
      since,
      hash: subjectHash(key, { tenantId: siteId, kind, id }),
    }));
    for (const index of await findDeleted(pool, siteId, candidates)) {
      const id = page[index]?.id ?? '';
      if (kind === 'site-visitor') await requestVisitorDeletion(pool, siteId, id);
      else await requestUserDeletion(pool, siteId, id);
      count += 1;
    }
    after = page.at(-1)?.id ?? after;
    if (page.length < PAGE) return count;
  }
}

/**
 * Deletes the rows in PostgreSQL. The requests stay open: their workflow deletes the data in the lake and in export
 * files.
 */
async function purgeSites(pool: pg.Pool): Promise<void> {
  await requestVisitorsOfUsers(pool);
  for (const visitor of await listOpenVisitorDeletions(pool)) await purgeVisitor(pool, visitor);
  for (const user of await listOpenUserDeletions(pool)) await purgeUser(pool, user);
}
