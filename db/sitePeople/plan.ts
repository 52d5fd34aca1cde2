/** What a series of records amounts to: who is linked to whom, and what is told of whom. */
import { factsOf, type PersonDictionaries, type PersonFacts } from '../../domain/people/facts.ts';
import type { Person, ToldBy, UserDataRecord } from '../../domain/people/personData.ts';
import type { EndedLink, Link, Linked, SeenFingerprint, ToldLink } from './links.ts';

export interface Told extends PersonFacts {
  person: Person;
  source: ToldBy;
  at: Date;
  /** Not by a browser. */
  isByServer: boolean;
  emailHash: string | null;
  phoneHash: string | null;
}

export interface Plan {
  told: Told[];
  /** By visitor id to whom it is linked in the end, only those that change. */
  links: Map<string, ToldLink>;
  /** Those on the way included. */
  newLinks: ToldLink[];
  /** Those that gave way to another user, even if they came back: see {@link endedLinks}. */
  replaced: EndedLink[];
  /** Visitors that had no user, with the first one they get: their values become this user's. */
  moves: Link[];
  fingerprints: SeenFingerprint[];
}

/**
 * Goes through the records in their order.
 * @param links of the visitors, as they are; one that is missing was deleted: what was on its way of it is dropped
 * @param asksForProof whether a link that is not proven is only the visitor's word, and a contact that a browser tells
 *   is dropped: a user_hash proves nothing of it, and nobody may meet others in the network by what he claims
 */
export function planRecords(
  records: readonly UserDataRecord[],
  links: ReadonlyMap<string, Linked>,
  dictionaries: PersonDictionaries,
  asksForProof: boolean,
): Plan {
  const plan: Plan = { told: [], links: new Map(), newLinks: [], replaced: [], moves: [], fingerprints: [] };
  for (const given of records) {
    const isTrusted = given.visitorId === null || (given.isProven ?? !asksForProof);
    const record = { ...given, isTrusted, visitorId: given.visitorId?.toLowerCase() ?? null };
    const { visitorId, fingerprint, at } = record;
    const isKnown = visitorId !== null && links.has(visitorId);
    if (isKnown) link(plan, visitorId, record, links);
    if (isKnown && fingerprint !== null)
      plan.fingerprints.push({ fingerprint: fingerprint.toLowerCase(), visitorId, at });
    const person = personOf(plan, record, links);
    if (person) tell(plan, person, asksForProof ? withoutClaims(record) : record, dictionaries);
  }
  return plan;
}

interface Claim extends UserDataRecord {
  isTrusted: boolean;
}

function link(
  plan: Plan,
  visitorId: string,
  { userId, isProven = false, isTrusted, at }: Claim,
  links: ReadonlyMap<string, Linked>,
): void {
  const known = userOf(plan, visitorId, links);
  const said = plan.links.get(visitorId)?.userId ?? links.get(visitorId)?.said ?? null;
  if (userId === null || known === userId || (said === userId && !isTrusted)) return;
  const isFirst = known === null && !plan.moves.some((move) => move.visitorId === visitorId);
  if (isTrusted && isFirst) plan.moves.push({ visitorId, userId });
  if (said !== null && said !== userId) plan.replaced.push({ visitorId, userId: said, at });
  const told = { visitorId, userId, isProven, isTrusted };
  plan.newLinks.push(told);
  plan.links.set(visitorId, told);
}

/** The user whose values are the visitor's; null when it has its own. */
function userOf(plan: Plan, visitorId: string, links: ReadonlyMap<string, Linked>): string | null {
  const planned = plan.links.get(visitorId);
  if (planned === undefined) return links.get(visitorId)?.userId ?? null;
  return planned.isTrusted ? planned.userId : null;
}

/** The links that stand no more once the plan is carried out. */
export function endedLinks({ links, replaced }: Plan): EndedLink[] {
  return replaced.filter(({ visitorId, userId }) => links.get(visitorId)?.userId !== userId);
}

function personOf(
  plan: Plan,
  { visitorId, userId, isTrusted }: Claim,
  links: ReadonlyMap<string, Linked>,
): Person | null {
  if (userId !== null && isTrusted) return { kind: 'user', id: userId };
  if (visitorId === null || !links.has(visitorId)) return null;
  const linked = userOf(plan, visitorId, links);
  return linked === null ? { kind: 'visitor', id: visitorId } : { kind: 'user', id: linked };
}

function withoutClaims(record: UserDataRecord): UserDataRecord {
  if (record.visitorId === null) return record;
  const { email_hash: _email, phone_hash: _phone, ...data } = record.data;
  return { ...record, data };
}

function tell(
  plan: Plan,
  person: Person,
  { data, source, at, visitorId }: UserDataRecord,
  dictionaries: PersonDictionaries,
): void {
  const facts = factsOf(data, at, dictionaries);
  const emailHash = data.email_hash ?? null;
  const phoneHash = data.phone_hash ?? null;
  const isEmpty = facts.fields.size === 0 && facts.interests.length === 0 && emailHash === null && phoneHash === null;
  // A server that names a user makes it known; of a browser the link says so already.
  if (!isEmpty || visitorId === null)
    plan.told.push({ person, source, at, isByServer: visitorId === null, emailHash, phoneHash, ...facts });
}
