/** What a site's server tells of people, and what holds of them then. */
import type pg from 'pg';
import { personKey, type Person, type PersonData, type UserDataRecord } from '../../domain/people/personData.ts';
import type { Queryable } from '../pool.ts';
import { applyUserData } from './apply.ts';
import { findByFingerprints, readLinks } from './links.ts';
import { requireKnown, withFreshPeople } from './lock.ts';
import { findUsers, readAudience, type AudienceValue } from './read.ts';

/** Stores the records, all or none. */
export async function tellOfPeople(pool: pg.Pool, siteId: string, records: readonly UserDataRecord[]): Promise<void> {
  if (records.length > 0) await withFreshPeople(pool, (client) => applyUserData(client, siteId, records));
}

/** By which identifier somebody is looked for; ids of visitors and fingerprints in lower case. */
export type Who = { visitorId: string } | { userId: string } | { fingerprint: string };

export interface Telling {
  /** Null for somebody that cannot be found. */
  who: Who | null;
  /** Null reads. */
  data: PersonData | null;
}

/** Somebody who was found, and what holds of him. */
export interface FoundAudience {
  visitorId: string | null;
  values: AudienceValue[];
}

/**
 * Stores what a site tells of people that are known, and reads what holds of them after all of it.
 * @param tellings null for what is left out
 * @returns in the same order; null for what is left out or not found
 */
export async function tellOfFound(
  pool: pg.Pool,
  siteId: string,
  tellings: readonly (Telling | null)[],
  at: Date,
): Promise<(FoundAudience | null)[]> {
  const isRead = tellings.every((telling) => telling === null || telling.data === null);
  if (isRead) return tell(pool, siteId, tellings, () => Promise.resolve());
  return withFreshPeople(pool, (client) =>
    tell(client, siteId, tellings, async (found) => {
      const records = found.flatMap((one, index) => recordOf(one, tellings[index] ?? null, at));
      await applyUserData(client, siteId, records);
      await requireKnown(
        client,
        siteId,
        records.flatMap(({ userId }) => (userId === null ? [] : [userId])),
      );
    }),
  );
}

interface Found {
  person: Person;
  visitorId: string | null;
}

async function tell(
  client: Queryable,
  siteId: string,
  tellings: readonly (Telling | null)[],
  apply: (found: (Found | null)[]) => Promise<void>,
): Promise<(FoundAudience | null)[]> {
  const found = await findAll(
    client,
    siteId,
    tellings.map((telling) => telling?.who ?? null),
  );
  await apply(found);
  const values = await readAudience(
    client,
    siteId,
    found.flatMap((one) => (one ? [one.person] : [])),
  );
  return found.map((one) => one && { visitorId: one.visitorId, values: values.get(personKey(one.person)) ?? [] });
}

/**
 * Who was found by its visitor is named by it, and applyUserData sees whose values these are: the record names no
 * user then, for the visitor must not be linked to one by what a server tells.
 */
function recordOf(found: Found | null, telling: Telling | null, at: Date): UserDataRecord[] {
  if (!found || !telling?.who || !telling.data) return [];
  const who =
    'userId' in telling.who
      ? { visitorId: null, userId: telling.who.userId }
      : { visitorId: found.visitorId, userId: null };
  return [{ ...who, fingerprint: null, data: telling.data, source: 'site', at }];
}

async function findAll(client: Queryable, siteId: string, whos: readonly (Who | null)[]): Promise<(Found | null)[]> {
  const pick = <K extends string>(key: K): string[] => [
    ...new Set(whos.flatMap((who) => (who && key in who ? [(who as Record<K, string>)[key]] : []))),
  ];
  const byFingerprint = await findByFingerprints(client, siteId, pick('fingerprint'));
  const links = await readLinks(client, siteId, [...pick('visitorId'), ...byFingerprint.values()]);
  const users = await findUsers(client, siteId, pick('userId'));
  const visitor = (id: string | undefined): Found | null => {
    const linked = id === undefined ? undefined : links.get(id);
    if (id === undefined || linked === undefined) return null;
    const { userId } = linked;
    return { visitorId: id, person: userId === null ? { kind: 'visitor', id } : { kind: 'user', id: userId } };
  };
  return whos.map((who) => {
    if (who === null) return null;
    if ('visitorId' in who) return visitor(who.visitorId);
    if ('fingerprint' in who) return visitor(byFingerprint.get(who.fingerprint));
    const visitorId = users.get(who.userId);
    return visitorId === undefined ? null : { visitorId, person: { kind: 'user', id: who.userId } };
  });
}
