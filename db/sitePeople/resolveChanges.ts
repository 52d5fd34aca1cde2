/**
 * The result of a series of records: the links, and the data about each person. `TRUSTED_USER` in visitorLinks.ts
 * decides whose values a visitor may read.
 */
import { factsOf, type PersonDictionaries, type PersonFacts } from '../../domain/people/personValues.ts';
import type { Person, ToldBy, UserDataRecord } from '../../domain/people/personData.ts';
import type { EndedLink, Link, Linked, SeenFingerprint, ToldLink } from './visitorLinks.ts';

export interface Told extends PersonFacts {
  person: Person;
  source: ToldBy;
  at: Date;
  /** True when a server, and not a browser, sent it. */
  isByServer: boolean;
  emailHash: string | null;
  phoneHash: string | null;
}

export interface Changes {
  told: Told[];
  /** The final link by visitor id, only for visitors whose link changes. */
  links: Map<string, ToldLink>;
  /** Includes links that a later record of the series replaces. */
  newLinks: ToldLink[];
  /** Links that another user replaced, even if they were restored: see {@link endedLinks}. */
  replaced: EndedLink[];
  /** Visitors that had no user, each with the first user that it gets. Their values become that user's. */
  moves: Link[];
  fingerprints: SeenFingerprint[];
}

/**
 * Goes through the records in their order.
 * @param links the present links of the visitors; a missing visitor was deleted, and its records are dropped
 * @param asksForProof true when a link without a proof is only the visitor's claim. Contacts from a browser are dropped
 * then: a user_hash does not prove them, and a mere claim must not connect anybody with others in the network
 */
export function resolveChanges(
  records: readonly UserDataRecord[],
  links: ReadonlyMap<string, Linked>,
  dictionaries: PersonDictionaries,
  asksForProof: boolean,
): Changes {
  const changes: Changes = { told: [], links: new Map(), newLinks: [], replaced: [], moves: [], fingerprints: [] };
  for (const given of records) {
    const isTrusted = given.visitorId === null || (given.isProven ?? !asksForProof);
    const record = { ...given, isTrusted, visitorId: given.visitorId?.toLowerCase() ?? null };
    const { visitorId, fingerprint, at } = record;
    const isKnown = visitorId !== null && links.has(visitorId);
    if (isKnown) link(changes, visitorId, record, links);
    if (isKnown && fingerprint !== null)
      changes.fingerprints.push({ fingerprint: fingerprint.toLowerCase(), visitorId, at });
    const person = personOf(changes, record, links);
    if (person) addToldFacts(changes, person, asksForProof ? withoutClaims(record) : record, dictionaries);
  }
  return changes;
}

interface Claim extends UserDataRecord {
  isTrusted: boolean;
}

function link(
  changes: Changes,
  visitorId: string,
  { userId, isProven = false, isTrusted, at }: Claim,
  links: ReadonlyMap<string, Linked>,
): void {
  const known = userOf(changes, visitorId, links);
  const said = changes.links.get(visitorId)?.userId ?? links.get(visitorId)?.claimedUserId ?? null;
  if (userId === null || known === userId || (said === userId && !isTrusted)) return;
  const isFirst = known === null && !changes.moves.some((move) => move.visitorId === visitorId);
  if (isTrusted && isFirst) changes.moves.push({ visitorId, userId });
  if (said !== null && said !== userId) changes.replaced.push({ visitorId, userId: said, at });
  const told = { visitorId, userId, isProven, isTrusted };
  changes.newLinks.push(told);
  changes.links.set(visitorId, told);
}

/** Returns the user who has the visitor's values; null when the visitor has its own. */
function userOf(changes: Changes, visitorId: string, links: ReadonlyMap<string, Linked>): string | null {
  const planned = changes.links.get(visitorId);
  if (planned === undefined) return links.get(visitorId)?.userId ?? null;
  return planned.isTrusted ? planned.userId : null;
}

/** Returns the links that no longer hold after the changes. */
export function endedLinks({ links, replaced }: Changes): EndedLink[] {
  return replaced.filter(({ visitorId, userId }) => links.get(visitorId)?.userId !== userId);
}

function personOf(
  changes: Changes,
  { visitorId, userId, isTrusted }: Claim,
  links: ReadonlyMap<string, Linked>,
): Person | null {
  if (userId !== null && isTrusted) return { kind: 'user', id: userId };
  if (visitorId === null || !links.has(visitorId)) return null;
  const linked = userOf(changes, visitorId, links);
  return linked === null ? { kind: 'visitor', id: visitorId } : { kind: 'user', id: linked };
}

function withoutClaims(record: UserDataRecord): UserDataRecord {
  if (record.visitorId === null) return record;
  const { email_hash: _email, phone_hash: _phone, ...data } = record.data;
  return { ...record, data };
}

function addToldFacts(
  changes: Changes,
  person: Person,
  { data, source, at, visitorId }: UserDataRecord,
  dictionaries: PersonDictionaries,
): void {
  const facts = factsOf(data, at, dictionaries);
  const emailHash = data.email_hash ?? null;
  const phoneHash = data.phone_hash ?? null;
  const isEmpty = facts.fields.size === 0 && facts.interests.length === 0 && emailHash === null && phoneHash === null;
  // A server that names a user makes the user known; for a browser the link has done so already.
  if (!isEmpty || visitorId === null)
    changes.told.push({ person, source, at, isByServer: visitorId === null, emailHash, phoneHash, ...facts });
}
