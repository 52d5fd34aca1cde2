/** Links: a device becomes a user's. */
import type pg from 'pg';
import { identifierKey, type Identifier } from '../../domain/identity.ts';
import { EMPTY_PROFILE, mergeProfiles } from '../../domain/profile.ts';
import { PRIORITY } from '../../domain/queues.ts';
import { ensureIdentities, isUndisputed, recordLogins } from '../identities.ts';
import { openJob } from '../jobs.ts';
import { lockIdentities, staleIdentity, withFreshIdentities, type LockedIdentity } from './lock.ts';
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
  /** Whether the device is this user's now. */
  merged: boolean;
  /** Stored events of the device that have become the user's with this very request. */
  eventsMoved: number;
}

const NOTHING: LinkResult = { merged: false, eventsMoved: 0 };

/**
 * Makes a device a user's, in one short transaction: from its commit on whatever is read of the user
 * includes the device's history. The rows themselves are rewritten later, by the job `user-link`.
 * A device that is another user's stays his.
 */
export async function linkUser(pool: pg.Pool, request: LinkRequest): Promise<LinkResult> {
  if (request.anonymousId === null && request.fingerprint === null) return NOTHING;
  return withFreshIdentities(pool, async (client) => {
    const user = await lockIdentity(client, request.projectId, { kind: 'user', externalId: request.userId });
    if (request.fingerprint !== null) await recordLogins(client, request.projectId, [{ fingerprint: request.fingerprint, identityId: user.id }]);
    const identifier = await deviceOf(client, request);
    if (identifier === null) return NOTHING;
    const device = await lockIdentity(client, request.projectId, identifier);
    return mergeDevice(client, request, user, device);
  });
}

/** Finds or creates, then locks. The user comes before the device (db/people/lock.ts). */
async function lockIdentity(client: pg.PoolClient, projectId: string, identifier: Identifier): Promise<LockedIdentity> {
  const id = (await ensureIdentities(client, projectId, [identifier])).get(identifierKey(identifier)) ?? '';
  const [identity] = await lockIdentities(client, projectId, [id]);
  // Purged between the two statements.
  if (!identity) throw staleIdentity();
  return identity;
}

/** By its anonymous_id, else by a fingerprint with which no other user was seen. */
async function deviceOf(client: pg.PoolClient, { projectId, anonymousId, fingerprint }: LinkRequest): Promise<Identifier | null> {
  if (anonymousId !== null) return { kind: 'anonymous', externalId: anonymousId };
  if (fingerprint === null || !(await isUndisputed(client, projectId, fingerprint))) return null;
  return { kind: 'fingerprint', externalId: fingerprint };
}

async function mergeDevice(client: pg.PoolClient, { projectId, requestId }: LinkRequest, user: LockedIdentity, device: LockedIdentity): Promise<LinkResult> {
  if (device.mergedInto !== null && device.mergedInto !== user.id) return NOTHING;
  await moveProfile(client, projectId, user.id, device.id);
  if (device.mergedInto === user.id) return { merged: true, eventsMoved: 0 };
  await pointAtUser(client, projectId, user.id, device.id);
  const eventsMoved = await countEvents(client, projectId, device.id);
  await openJob(client, { kind: 'user-link', projectId, entityId: device.id, priority: PRIORITY.job, requestId });
  return { merged: true, eventsMoved };
}

async function moveProfile(client: pg.PoolClient, projectId: string, userId: string, deviceId: string): Promise<void> {
  const profiles = await readOwnProfiles(client, projectId, [userId, deviceId]);
  const device = profiles.get(deviceId);
  if (!device) return;
  await storeProfiles(client, projectId, new Map([[userId, mergeProfiles(profiles.get(userId) ?? EMPTY_PROFILE, device)]]));
  await deleteProfiles(client, projectId, [deviceId]);
}

async function pointAtUser(client: pg.PoolClient, projectId: string, userId: string, deviceId: string): Promise<void> {
  await client.query({
    name: 'people-point-at-user',
    text: 'update identities set merged_into = $2 where project_id = $1 and id = $3',
    values: [projectId, userId, deviceId],
  });
}

/** A statement of its own, which PostgreSQL may do in parallel; unnamed, since the plan has to follow the tables' growth. */
async function countEvents(client: pg.PoolClient, projectId: string, deviceId: string): Promise<number> {
  const { rows } = await client.query<{ events: number }>(
    `select ((select count(*) from events where project_id = $1 and identity_id = $2)
           + (select count(*) from event_states where project_id = $1 and identity_id = $2))::int as events`,
    [projectId, deviceId],
  );
  return rows[0]?.events ?? 0;
}
