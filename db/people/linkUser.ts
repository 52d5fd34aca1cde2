/** Links: a device becomes part of a user. Decides which devices do; moveHistory.ts rewrites their rows later. */
import type pg from 'pg';
import { identifierKey, type Identifier } from '../../domain/people/identity.ts';
import { mergeProfiles } from '../../domain/people/mergeProfiles.ts';
import { EMPTY_PROFILE } from '../../domain/people/profile.ts';
import { PRIORITY } from '../../domain/jobs/queues.ts';
import { ensureIdentities, findIdentities, isUndisputed, recordLogins } from '../identities/identities.ts';
import { openJob } from '../jobs/jobs.ts';
import { withFreshLookups } from '../staleLookups.ts';
import { lockIdentities, staleIdentity, type LockedIdentity } from './lock.ts';
import { recordPeople } from '../popularity/recordChanges.ts';
import { recordHistoryOf } from '../training/recordForgottenItems.ts';
import { deleteProfiles, readOwnProfiles, storeProfiles } from './profiles.ts';

export interface LinkRequest {
  projectId: string;
  userId: string;
  anonymousId: string | null;
  /** Null when the project does not use them. */
  fingerprint: string | null;
  requestId: string | null;
}

export interface LinkResult {
  /** True when the device belongs to this user now. */
  merged: boolean;
  /** Number of the device's stored events that became the user's with this request. */
  eventsMoved: number;
}

const NOTHING: LinkResult = { merged: false, eventsMoved: 0 };

/**
 * Links a device to a user, in one short transaction: from its commit on, reads of the user include the device's
 * history. The rows themselves are rewritten later, by the job `user-link`. A device that belongs to another user stays
 * there.
 */
export async function linkUser(pool: pg.Pool, request: LinkRequest): Promise<LinkResult> {
  return withFreshLookups(pool, async (client) => {
    const { projectId, fingerprint } = request;
    const named = await devicesOf(client, request);
    if (named.length === 0) return NOTHING;
    const { user, devices } = await lockAll(client, projectId, { kind: 'user', externalId: request.userId }, named);
    if (fingerprint !== null) await recordLogins(client, projectId, [{ fingerprint, identityId: user.id }]);
    const results: LinkResult[] = [];
    for (const device of devices) {
      // A fingerprint counts only when no other user was seen with it, unless it is this user's already.
      const isNew = device.mergedInto !== user.id;
      if (isNew && device.kind === 'fingerprint' && !(await isUndisputed(client, projectId, fingerprint ?? '')))
        continue;
      results.push(await mergeDevice(client, request, user, device));
    }
    return {
      merged: results.some(({ merged }) => merged),
      eventsMoved: results.reduce((sum, { eventsMoved }) => sum + eventsMoved, 0),
    };
  });
}

/**
 * Returns the devices to link: that of the anonymous_id if it is known. If it is not, a new device for it, and also
 * that of the fingerprint if that is known, because it has the history so far. Without an anonymous_id, that of the
 * fingerprint.
 */
async function devicesOf(
  client: pg.PoolClient,
  { projectId, anonymousId, fingerprint }: LinkRequest,
): Promise<Identifier[]> {
  const byFingerprint: Identifier[] = fingerprint === null ? [] : [{ kind: 'fingerprint', externalId: fingerprint }];
  if (anonymousId === null) return byFingerprint;
  const device: Identifier = { kind: 'anonymous', externalId: anonymousId };
  const known = await findIdentities(client, projectId, [device, ...byFingerprint]);
  if (known.has(identifierKey(device))) return [device];
  return [device, ...byFingerprint.filter((identifier) => known.has(identifierKey(identifier)))];
}

/**
 * Finds or creates all identities, then locks them. New people are created in the order of db/identities/identities.ts,
 * before any lock is held; if they were created one after the other, a link and a batch with the same two new people
 * would deadlock.
 */
async function lockAll(
  client: pg.PoolClient,
  projectId: string,
  user: Identifier,
  devices: readonly Identifier[],
): Promise<{ user: LockedIdentity; devices: LockedIdentity[] }> {
  const ids = await ensureIdentities(client, projectId, [user, ...devices]);
  const locked = await lockIdentities(client, projectId, [...ids.values()]);
  const lockedAs = (identifier: Identifier): LockedIdentity => {
    const found = locked.find(({ id }) => id === ids.get(identifierKey(identifier)));
    if (!found) throw staleIdentity();
    return found;
  };
  return { user: lockedAs(user), devices: devices.map(lockedAs) };
}

async function mergeDevice(
  client: pg.PoolClient,
  { projectId, requestId }: LinkRequest,
  user: LockedIdentity,
  device: LockedIdentity,
): Promise<LinkResult> {
  if (device.mergedInto !== null && device.mergedInto !== user.id) return NOTHING;
  const hasWithdrawn = await moveProfile(client, projectId, user.id, device.id);
  if (device.mergedInto === user.id) {
    // After a first link, the job records the history.
    if (hasWithdrawn) await recordHistoryOf(client, projectId, [user.id]);
    return { merged: true, eventsMoved: 0 };
  }
  await setMergedInto(client, projectId, user.id, device.id);
  await drawAsDevice(client, projectId, user.id, device.id);
  const eventsMoved = await countEvents(client, projectId, device.id);
  await openJob(client, { kind: 'user-link', projectId, entityId: device.id, priority: PRIORITY.job, requestId });
  return { merged: true, eventsMoved };
}

/** @returns true when the device's profile has turned the user's personalization off */
async function moveProfile(
  client: pg.PoolClient,
  projectId: string,
  userId: string,
  deviceId: string,
): Promise<boolean> {
  const profiles = await readOwnProfiles(client, projectId, [userId, deviceId]);
  const device = profiles.get(deviceId);
  if (!device) return false;
  const before = profiles.get(userId) ?? EMPTY_PROFILE;
  const merged = mergeProfiles(before, device);
  await storeProfiles(client, projectId, new Map([[userId, merged]]));
  await deleteProfiles(client, projectId, [deviceId]);
  if (device.values.city !== null || device.values.country !== null) await recordPeople(client, projectId, [userId]);
  return merged.values.personalization === false && before.values.personalization !== false;
}

async function setMergedInto(
  client: pg.PoolClient,
  projectId: string,
  userId: string,
  deviceId: string,
): Promise<void> {
  await client.query({
    name: 'people-point-at-user',
    text: 'update identities set merged_into = $2 where project_id = $1 and id = $3',
    values: [projectId, userId, deviceId],
  });
}

/** Lets a visitor who signs up keep the variants of the device; an account that was known before keeps its own. */
async function drawAsDevice(client: pg.PoolClient, projectId: string, userId: string, deviceId: string): Promise<void> {
  await client.query({
    name: 'people-draw-as-device',
    // The row was created at the start of this very transaction, so this link has made the user known.
    text: 'update identities set drawn_as = $3 where project_id = $1 and id = $2 and drawn_as is null and created_at = now()',
    values: [projectId, userId, deviceId],
  });
}

/**
 * Counts events in a statement of its own, which PostgreSQL may run in parallel; it is unnamed, since the plan has to
 * follow the growth of the tables.
 */
async function countEvents(client: pg.PoolClient, projectId: string, deviceId: string): Promise<number> {
  const { rows } = await client.query<{ events: number }>(
    `select ((select count(*) from events where project_id = $1 and identity_id = $2)
           + (select count(*) from event_states where project_id = $1 and identity_id = $2))::int as events`,
    [projectId, deviceId],
  );
  return rows[0]?.events ?? 0;
}
