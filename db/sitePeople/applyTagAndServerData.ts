/** Stores the data that the tag or the site's server sent about visitors and users, and links visitors to users. */
import type pg from 'pg';
import { dictionaries } from '../../domain/dictionaries/index.ts';
import type { Person, UserDataRecord } from '../../domain/people/personData.ts';
import { giveFactsToUsers } from '../siteFacts/giveFactsToUsers.ts';
import { writeContacts } from './writeContacts.ts';
import { strengthenInterests } from './strengthenInterests.ts';
import { asksForProof, recordFingerprints, readLinks, rememberLinks, writeLinks, type Linked } from './visitorLinks.ts';
import { lockPeople, stalePerson } from './lock.ts';
import { moveToUsers } from './moveToUsers.ts';
import { endedLinks, resolveChanges, type Changes } from './resolveChanges.ts';
import { writeValues } from './replaceValues.ts';

export type { UserDataRecord } from '../../domain/people/personData.ts';

/**
 * Applies records of one site in their order; people may occur several times. Later values of a field (by `at`) replace
 * earlier ones, and interests grow stronger. A visitor with a user_id is linked to that user. With its first link its
 * own values become the user's where the user has none, and so do its conversions and orders. At a site that requires
 * proofs, a link without a proof is recorded, but the values stay the visitor's own, and contacts sent by a browser are
 * dropped. Records of a visitor that is unknown (or deleted) are dropped too.
 * @param client in a transaction; people are locked in one order until its end: call once per site and transaction
 * @throws {StaleLookupError} when another transaction linked or deleted a visitor in the meantime: begin again
 * (db/staleLookups.ts). A writer that is the only one to link a site's visitors, such as the site's ingest, never gets
 * it.
 */
export async function applyUserData(
  client: pg.PoolClient,
  siteId: string,
  records: readonly UserDataRecord[],
): Promise<void> {
  const visitorIds = [
    ...new Set(records.flatMap(({ visitorId }) => (visitorId === null ? [] : [visitorId.toLowerCase()]))),
  ];
  const links = await readLinks(client, siteId, visitorIds);
  const isClaimed = records.some(isClaim);
  const changes = resolveChanges(records, links, dictionaries, isClaimed && (await asksForProof(client, siteId)));
  await lockPeople(client, siteId, peopleOf(changes));
  await requireSameLinks(client, siteId, links);
  await writeContacts(client, siteId, changes.told);
  await writeValues(client, siteId, changes.told);
  await strengthenInterests(client, siteId, changes.told);
  await writeLinks(client, siteId, changes.links);
  await rememberLinks(client, siteId, changes.newLinks, endedLinks(changes));
  await moveToUsers(client, siteId, changes.moves);
  await giveFactsToUsers(client, siteId, changes.moves);
  await recordFingerprints(client, siteId, changes.fingerprints);
}

/** Returns true when a browser claims something about its person that it might have to prove. */
function isClaim({ visitorId, userId, data }: UserDataRecord): boolean {
  return visitorId !== null && (userId !== null || data.email_hash !== undefined || data.phone_hash !== undefined);
}

function peopleOf({ told, moves }: Changes): Person[] {
  return [
    ...told.map(({ person }) => person),
    ...moves.flatMap(({ visitorId, userId }): Person[] => [
      { kind: 'visitor', id: visitorId },
      { kind: 'user', id: userId },
    ]),
  ];
}

/**
 * The visitors' links decided whose values are written. They must still be the same, now that neither the visitors nor
 * their users can be linked or deleted.
 */
async function requireSameLinks(
  client: pg.PoolClient,
  siteId: string,
  links: ReadonlyMap<string, Linked>,
): Promise<void> {
  const now = await readLinks(client, siteId, [...links.keys()]);
  for (const [visitorId, { userId, claimedUserId }] of links) {
    const linked = now.get(visitorId);
    if (linked?.userId !== userId || linked.claimedUserId !== claimedUserId) throw stalePerson();
  }
}
