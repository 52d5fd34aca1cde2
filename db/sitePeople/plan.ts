/** What a series of records amounts to: who is linked to whom, and what is told of whom. */
import { factsOf, type PersonDictionaries, type PersonFacts } from '../../domain/people/facts.ts';
import type { Person, ToldBy, UserDataRecord } from '../../domain/people/personData.ts';
import type { EndedLink, Link, SeenFingerprint } from './links.ts';

export interface Told extends PersonFacts {
  person: Person;
  source: ToldBy;
  at: Date;
  emailHash: string | null;
  phoneHash: string | null;
}

export interface Plan {
  told: Told[];
  /** By visitor id to whom it is linked in the end, only those that change. */
  links: Map<string, string>;
  /** Those on the way included. */
  newLinks: Link[];
  /** Those that gave way to another user, even if they came back: see {@link endedLinks}. */
  replaced: EndedLink[];
  /** Visitors that had no user, with the first one they get: their values become this user's. */
  moves: Link[];
  fingerprints: SeenFingerprint[];
}

/**
 * Goes through the records in their order.
 * @param links of the visitors, as they are; one that is missing was deleted: what was on its way of it is dropped
 */
export function planRecords(
  records: readonly UserDataRecord[],
  links: ReadonlyMap<string, string | null>,
  dictionaries: PersonDictionaries,
): Plan {
  const plan: Plan = { told: [], links: new Map(), newLinks: [], replaced: [], moves: [], fingerprints: [] };
  for (const given of records) {
    const record = { ...given, visitorId: given.visitorId?.toLowerCase() ?? null };
    const { visitorId, fingerprint, at } = record;
    const isKnown = visitorId !== null && links.has(visitorId);
    if (isKnown) link(plan, { ...record, visitorId }, links);
    if (isKnown && fingerprint !== null)
      plan.fingerprints.push({ fingerprint: fingerprint.toLowerCase(), visitorId, at });
    const person = personOf(plan, record, links);
    if (person) tell(plan, person, record, dictionaries);
  }
  return plan;
}

function link(
  plan: Plan,
  { visitorId, userId, at }: { visitorId: string; userId: string | null; at: Date },
  links: ReadonlyMap<string, string | null>,
): void {
  if (userId === null) return;
  const current = plan.links.get(visitorId) ?? links.get(visitorId) ?? null;
  if (current === userId) return;
  if (current === null) plan.moves.push({ visitorId, userId });
  else plan.replaced.push({ visitorId, userId: current, at });
  plan.newLinks.push({ visitorId, userId });
  plan.links.set(visitorId, userId);
}

/** The links that stand no more once the plan is carried out. */
export function endedLinks({ links, replaced }: Plan): EndedLink[] {
  return replaced.filter(({ visitorId, userId }) => links.get(visitorId) !== userId);
}

function personOf(
  plan: Plan,
  { visitorId, userId }: UserDataRecord,
  links: ReadonlyMap<string, string | null>,
): Person | null {
  if (userId !== null) return { kind: 'user', id: userId };
  if (visitorId === null || !links.has(visitorId)) return null;
  const linked = plan.links.get(visitorId) ?? links.get(visitorId);
  return linked ? { kind: 'user', id: linked } : { kind: 'visitor', id: visitorId };
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
  if (!isEmpty || visitorId === null) plan.told.push({ person, source, at, emailHash, phoneHash, ...facts });
}
