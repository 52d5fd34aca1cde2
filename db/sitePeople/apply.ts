/** What is told of visitors and users: stored, and visitors linked to users. */
import type pg from 'pg';
import { dictionaries } from '../../dictionaries/index.ts';
import type { Person, UserDataRecord } from '../../domain/people/personData.ts';
import { giveFactsToUsers } from '../siteFacts/adopt.ts';
import { writeContacts } from './contacts.ts';
import { strengthenInterests } from './interests.ts';
import { asksForProof, noteFingerprints, readLinks, rememberLinks, writeLinks, type Linked } from './links.ts';
import { lockPeople, stalePerson } from './lock.ts';
import { moveToUsers } from './moves.ts';
import { endedLinks, planRecords, type Plan } from './plan.ts';
import { writeValues } from './values.ts';

export type { UserDataRecord } from '../../domain/people/personData.ts';

/**
 * Applies records of one site in their order; people may come several times. Later values of a field replace earlier ones
 * by `at`, interests grow stronger. A visitor with a user_id is linked to that user; with its first link its own values
 * become the user's where the user has none, and so do its conversions and orders. At a site that asks for proofs a link
 * without one is noted, but the values stay the visitor's own, and contacts that a browser tells are dropped. So are
 * records of a visitor that is not known (any more).
 * @param client in a transaction; people are locked until its end, in one order: call once a site and transaction
 * @throws {Error} StalePerson when a visitor was linked or deleted by another transaction meanwhile: begin again
 *   (lock.ts withFreshPeople). Whoever alone links a site's visitors, as its ingest does, never sees it.
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
  const plan = planRecords(records, links, dictionaries, isClaimed && (await asksForProof(client, siteId)));
  await lockPeople(client, siteId, peopleOf(plan));
  await requireSameLinks(client, siteId, links);
  await writeContacts(client, siteId, plan.told);
  await writeValues(client, siteId, plan.told);
  await strengthenInterests(client, siteId, plan.told);
  await writeLinks(client, siteId, plan.links);
  await rememberLinks(client, siteId, plan.newLinks, endedLinks(plan));
  await moveToUsers(client, siteId, plan.moves);
  await giveFactsToUsers(client, siteId, plan.moves);
  await noteFingerprints(client, siteId, plan.fingerprints);
}

/** Whether a browser says something about its person that it might have to prove. */
function isClaim({ visitorId, userId, data }: UserDataRecord): boolean {
  return visitorId !== null && (userId !== null || data.email_hash !== undefined || data.phone_hash !== undefined);
}

function peopleOf({ told, moves }: Plan): Person[] {
  return [
    ...told.map(({ person }) => person),
    ...moves.flatMap(({ visitorId, userId }): Person[] => [
      { kind: 'visitor', id: visitorId },
      { kind: 'user', id: userId },
    ]),
  ];
}

/**
 * Whose values are written was told by the visitors' links: they must be the same still, now that neither the
 * visitors nor their users can be linked or deleted.
 */
async function requireSameLinks(
  client: pg.PoolClient,
  siteId: string,
  links: ReadonlyMap<string, Linked>,
): Promise<void> {
  const now = await readLinks(client, siteId, [...links.keys()]);
  for (const [visitorId, { userId, said }] of links) {
    const linked = now.get(visitorId);
    if (linked?.userId !== userId || linked.said !== said) throw stalePerson();
  }
}
