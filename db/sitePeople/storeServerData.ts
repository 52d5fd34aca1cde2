/**
 * Stores the data that a site's server sends about people, and reads their resulting values. replaceValues.ts decides
 * what a sent field replaces.
 */
import type pg from 'pg';
import { personKey, type Person, type PersonData, type UserDataRecord } from '../../domain/people/personData.ts';
import { readNow } from '../clock.ts';
import type { Queryable } from '../pool.ts';
import { recordParamKeys } from '../sites/paramKeys.ts';
import { applyUserData } from './applyTagAndServerData.ts';
import { findByFingerprints, readLinks } from './visitorLinks.ts';
import { withFreshLookups } from '../staleLookups.ts';
import { requireKnown } from './lock.ts';
import { findUsers, readAudience, type AudienceValue } from './readAudience.ts';

/** Called with the error if keys of params could not be recorded; the next data that has them records them. */
export type OnKeysLost = (error: unknown) => void;

/** Stores all of the records or none. */
export async function storeUserData(
  pool: pg.Pool,
  siteId: string,
  records: readonly UserDataRecord[],
  onKeysLost: OnKeysLost,
): Promise<void> {
  if (records.length === 0) return;
  await withFreshLookups(pool, (client) => applyUserData(client, siteId, records));
  await recordParams(pool, siteId, records, onKeysLost);
}

/**
 * Records the keys of params once the records are stored. It does not fail: after an error the sender would repeat the
 * batch, and strengthen its interests again.
 */
async function recordParams(
  db: Queryable,
  siteId: string,
  records: readonly { data: PersonData }[],
  onKeysLost: OnKeysLost,
): Promise<void> {
  const keys = new Set(records.flatMap(({ data }) => Object.keys(data.params ?? {})));
  await recordParamKeys(
    db,
    [...keys].map((key) => ({ siteId, kind: 'visitor', key })),
  ).catch(onKeysLost);
}

/** The identifier by which a person is looked up; ids of visitors and fingerprints in lower case. */
export type PersonSelector = { visitorId: string } | { userId: string } | { fingerprint: string };

export interface PersonUpdate {
  /** Null for a person who cannot be found. */
  who: PersonSelector | null;
  /** Null when the values are only read. */
  data: PersonData | null;
}

/** A person who was found, and their values. */
export interface FoundAudience {
  visitorId: string | null;
  values: AudienceValue[];
}

/**
 * Stores the data that a site sends about known people, and reads their values once all of it is stored. The data has
 * the database's time: values are replaced in the order of their times, whichever process received them.
 * @param updates null for entries that are left out
 * @returns in the same order; null for entries that were left out or not found
 */
export async function updateKnownPeople(
  pool: pg.Pool,
  siteId: string,
  updates: readonly (PersonUpdate | null)[],
  onKeysLost: OnKeysLost,
): Promise<(FoundAudience | null)[]> {
  const isRead = updates.every((update) => update === null || update.data === null);
  if (isRead) return updateAndRead(pool, siteId, updates, () => Promise.resolve());
  const answers = await withFreshLookups(pool, (client) =>
    updateAndRead(client, siteId, updates, async (found) => {
      const at = await readNow(client);
      const records = found.flatMap((one, index) => recordOf(one, updates[index] ?? null, at));
      await applyUserData(client, siteId, records);
      await requireKnown(
        client,
        siteId,
        records.flatMap(({ userId }) => (userId === null ? [] : [userId])),
      );
    }),
  );
  const known = updates.filter((_, index) => answers[index] !== null);
  await recordParams(
    pool,
    siteId,
    known.flatMap((update) => (update?.data ? [{ data: update.data }] : [])),
    onKeysLost,
  );
  return answers;
}

interface Found {
  person: Person;
  visitorId: string | null;
}

async function updateAndRead(
  client: Queryable,
  siteId: string,
  updates: readonly (PersonUpdate | null)[],
  apply: (found: (Found | null)[]) => Promise<void>,
): Promise<(FoundAudience | null)[]> {
  const found = await findAll(
    client,
    siteId,
    updates.map((update) => update?.who ?? null),
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
 * If the server named a visitor, the record names only this visitor, and applyUserData decides whose values these are.
 * It does not name the visitor's user as well, because data from a server must not link a visitor to a user.
 */
function recordOf(found: Found | null, update: PersonUpdate | null, at: Date): UserDataRecord[] {
  if (!found || !update?.who || !update.data) return [];
  const who =
    'userId' in update.who
      ? { visitorId: null, userId: update.who.userId }
      : { visitorId: found.visitorId, userId: null };
  return [{ ...who, fingerprint: null, data: update.data, source: 'site', at }];
}

async function findAll(
  client: Queryable,
  siteId: string,
  whos: readonly (PersonSelector | null)[],
): Promise<(Found | null)[]> {
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
