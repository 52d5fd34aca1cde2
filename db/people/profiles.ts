/** Profiles of end users. */
import type pg from 'pg';
import { identifierKey, type Identifier } from '../../domain/people/identity.ts';
import { changeProfile } from '../../domain/people/mergeProfiles.ts';
import {
  EMPTY_PROFILE,
  PROFILE_FIELDS,
  type Profile,
  type ProfileChange,
  type ProfileField,
  type ProfileValues,
} from '../../domain/people/profile.ts';
import { ensureIdentities, recordLogins } from '../identities/identities.ts';
import type { Queryable } from '../pool.ts';
import { recordPeople } from '../popularity/recordChanges.ts';
import { withFreshLookups } from '../staleLookups.ts';
import { recordHistoryOf } from '../training/recordForgottenItems.ts';
import { lockIdentities } from './lock.ts';

export interface ProfileWrite {
  identifier: Identifier;
  /** The fingerprint of the device on which a user was seen. */
  seenOn: string | null;
  change: ProfileChange;
}

/**
 * Maximum number of withdrawals from personalization in one transaction. The transaction holds the locks of these
 * people while it records everything that they have done, so it must not become long.
 */
const MAX_WITHDRAWALS = 10;

/**
 * Applies changes in their order; a person may occur several times. They are one transaction, or several when many
 * people withdraw: if a later one fails, a repetition finds the earlier ones done.
 * @returns for each write the fields whose value changed
 */
export async function writeProfiles(
  pool: pg.Pool,
  projectId: string,
  writes: readonly ProfileWrite[],
  at: Date,
): Promise<ProfileField[][]> {
  const updated: ProfileField[][] = [];
  for (const part of inParts(writes)) updated.push(...(await writePart(pool, projectId, part, at)));
  return updated;
}

/** Splits writes into consecutive parts with at most {@link MAX_WITHDRAWALS} each; there is no empty part. */
function inParts(writes: readonly ProfileWrite[]): ProfileWrite[][] {
  const parts: ProfileWrite[][] = [];
  let withdrawals = 0;
  for (const write of writes) {
    const isWithdrawal = write.change.personalization === false;
    if (parts.length === 0 || (isWithdrawal && withdrawals === MAX_WITHDRAWALS)) {
      parts.push([]);
      withdrawals = 0;
    }
    if (isWithdrawal) withdrawals += 1;
    parts.at(-1)?.push(write);
  }
  return parts;
}

async function writePart(
  pool: pg.Pool,
  projectId: string,
  writes: readonly ProfileWrite[],
  at: Date,
): Promise<ProfileField[][]> {
  return withFreshLookups(pool, async (client) => {
    const idByKey = await ensureIdentities(
      client,
      projectId,
      writes.map(({ identifier }) => identifier),
    );
    const idOf = ({ identifier }: ProfileWrite): string => idByKey.get(identifierKey(identifier)) ?? '';
    const ids = [...idByKey.values()];
    await lockIdentities(client, projectId, ids);
    await recordLogins(
      client,
      projectId,
      writes.flatMap((write) =>
        write.seenOn !== null && write.identifier.kind === 'user'
          ? [{ fingerprint: write.seenOn, identityId: idOf(write) }]
          : [],
      ),
    );
    const profiles = await readOwnProfiles(client, projectId, ids);
    const changed = new Set<string>();
    const moved = new Set<string>();
    const decided = new Set<string>();
    const updated = writes.map((write) => {
      const id = idOf(write);
      const { profile, updatedFields } = changeProfile(profiles.get(id) ?? EMPTY_PROFILE, write.change, at);
      if (updatedFields.length > 0) changed.add(id);
      if (updatedFields.some((field) => PLACES.has(field))) moved.add(id);
      if (updatedFields.includes('personalization')) decided.add(id);
      profiles.set(id, profile);
      return updatedFields;
    });
    await storeProfiles(client, projectId, new Map([...profiles].filter(([id]) => changed.has(id))));
    await recordPeople(client, projectId, [...moved]);
    // Only the last decision of a transaction counts: a person who withdraws and returns within it stays in the models.
    const withdrawn = [...decided].filter((id) => profiles.get(id)?.values.personalization === false);
    await recordHistoryOf(client, projectId, withdrawn);
    return updated;
  });
}

/** The fields by which popularity is counted. */
const PLACES: ReadonlySet<ProfileField> = new Set(['city', 'country']);

type ProfileRow = ProfileValues & { fields_updated_at: Profile['updatedAt'] };

const VALUES = PROFILE_FIELDS.join(', ');

/** Returns the identities' own profiles, by id; a caller who will write them holds the identities' locks. */
export async function readOwnProfiles(
  client: Queryable,
  projectId: string,
  ids: readonly string[],
): Promise<Map<string, Profile>> {
  const { rows } = await client.query<ProfileRow & { identity_id: string }>({
    name: 'profiles-read',
    text: `select identity_id, ${VALUES}, fields_updated_at from profiles where project_id = $1 and identity_id = any($2::bigint[])`,
    values: [projectId, ids],
  });
  return new Map(rows.map(({ identity_id: id, ...row }) => [id, profileOf(row)]));
}

/** Stores whole profiles by identity. The caller holds the identities' locks. */
export async function storeProfiles(
  client: Queryable,
  projectId: string,
  profiles: ReadonlyMap<string, Profile>,
): Promise<void> {
  if (profiles.size === 0) return;
  const rows = [...profiles].map(([id, { values, updatedAt }]) => ({
    ...values,
    identity_id: id,
    fields_updated_at: updatedAt,
  }));
  await client.query({
    name: 'profiles-store',
    text: `insert into profiles (project_id, identity_id, ${VALUES}, fields_updated_at)
           select $1, identity_id, ${VALUES}, fields_updated_at from jsonb_populate_recordset(null::profiles, $2::jsonb)
            order by identity_id
           on conflict (project_id, identity_id) do update
              set (${VALUES}, fields_updated_at) = (${PROFILE_FIELDS.map((field) => `excluded.${field}`).join(', ')}, excluded.fields_updated_at)`,
    values: [projectId, JSON.stringify(rows)],
  });
}

export async function deleteProfiles(client: Queryable, projectId: string, ids: readonly string[]): Promise<void> {
  await client.query({
    name: 'profiles-delete',
    text: 'delete from profiles where project_id = $1 and identity_id = any($2::bigint[])',
    values: [projectId, ids],
  });
}

export interface FoundProfile {
  /** The kind of person to whom the profile belongs. */
  owner: 'user' | 'anonymous';
  profile: Profile;
}

/**
 * Returns the profile behind an identifier; changes nothing. A linked device has its own if there is one, else its
 * user's. A person without a profile has an empty one.
 * @returns null when the identifier is unknown
 */
export async function findProfile(
  pool: Queryable,
  projectId: string,
  { kind, externalId }: Identifier,
): Promise<FoundProfile | null> {
  const { rows } = await pool.query<ProfileRow & { isUser: boolean; hasProfile: boolean }>({
    name: 'profile-find',
    text: `select i.kind = 'user' or (own.identity_id is null and i.merged_into is not null) as "isUser", p.identity_id is not null as "hasProfile",
                  ${PROFILE_FIELDS.map((field) => `p.${field}`).join(', ')}, p.fields_updated_at
             from identities i
             left join profiles own on own.project_id = i.project_id and own.identity_id = i.id
             left join profiles p on p.project_id = i.project_id and p.identity_id = coalesce(own.identity_id, i.merged_into)
            where i.project_id = $1 and i.kind = $2 and i.external_id = $3 and i.dead_at is null`,
    values: [projectId, kind, externalId],
  });
  const row = rows[0];
  if (!row) return null;
  const { isUser, hasProfile, ...stored } = row;
  return { owner: isUser ? 'user' : 'anonymous', profile: hasProfile ? profileOf(stored) : EMPTY_PROFILE };
}

function profileOf({ fields_updated_at: updatedAt, ...values }: ProfileRow): Profile {
  return { values, updatedAt };
}
