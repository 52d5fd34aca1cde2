/** Invitations: secrets by which people set the passwords of their accounts. Only hashes are stored. */
import type pg from 'pg';
import type { Role, Scope } from '../../domain/accounts/roles.ts';
import { insertUser, isManaged, isViewerOf, orRefusal, type UserRefusal } from './accounts.ts';
import { inTransaction, type Queryable } from '../pool.ts';

export const INVITATION_DAYS = 7;
/** Maximum number of pending invitations of one inviter. */
export const INVITATIONS_PER_INVITER = 100;

export interface NewInvitation {
  hash: Buffer;
  /** Lower-case. */
  email: string;
  role: Role;
  projects: readonly string[];
  sites: readonly string[];
  /** Null for a token of the installation. */
  invitedBy: string | null;
}

export interface StoredInvitation {
  id: string;
  createdAt: Date;
  expiresAt: Date;
}

const COLUMNS = `id, created_at as "createdAt", expires_at as "expiresAt"`;
const EXPIRES_AT = `now() + interval '${INVITATION_DAYS} days'`;

/**
 * Invites a person to an account that is created on acceptance. `full`: the inviter has too many pending invitations.
 */
export function insertInvitation(
  pool: pg.Pool,
  invitation: NewInvitation,
): Promise<StoredInvitation | UserRefusal | 'full'> {
  return orRefusal(
    inTransaction(pool, async (client) => {
      // Concurrent requests count one after the other. The lock has a statement of its own, because a statement that
      // waits counts the rows as they were before the wait.
      await client.query(`select pg_advisory_xact_lock(hashtextextended('invitations/' || $1, 0))`, [
        invitation.invitedBy ?? '',
      ]);
      return (await insertWhereRoom(client, invitation)) ?? 'full';
    }),
  );
}

async function insertWhereRoom(
  client: Queryable,
  { hash, email, role, projects, sites, invitedBy }: NewInvitation,
): Promise<StoredInvitation | null> {
  const { rows } = await client.query<StoredInvitation>(
    `insert into invitations (hash, email, role, projects, sites, invited_by, expires_at)
     select $1, $2, $3, $4, $5, $6, ${EXPIRES_AT}
      where (select count(*) from invitations where invited_by is not distinct from $6 and user_id is null and expires_at > now()) < ${INVITATIONS_PER_INVITER}
     returning ${COLUMNS}`,
    [hash, email, role, projects, sites, invitedBy],
  );
  return rows[0] ?? null;
}

/**
 * Replaces the secret of an existing account or of a pending invitation.
 * @returns null when `manager` manages neither
 */
export async function renewInvitation(
  pool: Queryable,
  id: string,
  { hash, manager, invitedBy }: { hash: Buffer; manager: Scope | null; invitedBy: string | null },
): Promise<StoredInvitation | null> {
  const { rows } = await pool.query<StoredInvitation>(
    `with renewed as (
       update invitations set hash = $2, expires_at = ${EXPIRES_AT}, invited_by = $5
        where id = $1 and user_id is null and ${isManaged('$3', '$4')} returning ${COLUMNS}),
     asked as (
       insert into invitations (hash, user_id, email, role, projects, sites, invited_by, expires_at)
       select $2, id, email, role, '{}', '{}', $5, ${EXPIRES_AT} from users where id = $1 and ${isManaged('$3', '$4')}
          -- Waits for a concurrent change, after which the manager may no longer manage the user.
          for share
       on conflict (user_id) do update set hash = excluded.hash, invited_by = excluded.invited_by, expires_at = excluded.expires_at
       returning ${COLUMNS})
     select * from renewed union all select * from asked`,
    [id, hash, manager?.projects ?? null, manager?.sites ?? null, invitedBy],
  );
  return rows[0] ?? null;
}

interface Open extends Omit<NewInvitation, 'hash'> {
  id: string;
  userId: string | null;
}

/**
 * The inviter may still grant this: the inviter's role and scope are checked again. For an existing account its present
 * role and scope count, because they may have become wider since the invitation.
 */
const IS_GRANTED = `(i.invited_by is null or exists (
  select from users u where u.id = i.invited_by and u.state = 'active'
     and (u.role = 'admin' or (u.role = 'owner' and case when i.user_id is null
          then i.role = 'viewer' and i.projects <@ u.projects and i.sites <@ u.sites
          else exists (select from users v where v.id = i.user_id and ${isViewerOf('u.projects', 'u.sites', 'v.')}) end))))`;

const OPEN = `i.hash = $1 and i.expires_at > now() and ${IS_GRANTED}`;

/** Returns true when the secret is valid. */
export async function isOpenInvitation(pool: Queryable, hash: Buffer): Promise<boolean> {
  const { rowCount } = await pool.query(`select from invitations i where ${OPEN}`, [hash]);
  return rowCount === 1;
}

/**
 * Creates the account, or sets its password and ends its sessions; a secret works only once. An address that already
 * has an account is silently left as it is.
 * @returns false when the secret is not (or no longer) valid
 */
export async function acceptInvitation(pool: pg.Pool, hash: Buffer, passwordHash: string): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    // The lock is taken first, as in every change of the account: a change in progress decides whether the secret is
    // still valid.
    await client.query('select from users where id = (select user_id from invitations where hash = $1) for update', [
      hash,
    ]);
    const { rows } = await client.query<Open>(
      `delete from invitations i where ${OPEN}
       returning id, user_id as "userId", email, role, projects, sites, invited_by as "invitedBy"`,
      [hash],
    );
    if (!rows[0]) return false;
    const { userId, email, role, projects, sites } = rows[0];
    if (userId === null) await insertUser(client, { email, passwordHash, role, projects, sites });
    else await setPassword(client, userId, passwordHash);
    return true;
  });
}

async function setPassword(client: Queryable, userId: string, passwordHash: string): Promise<void> {
  await client.query(
    `with ended as (delete from sessions where user_id = $1) update users set password_hash = $2 where id = $1`,
    [userId, passwordHash],
  );
}

/** Withdraws an invitation. False when `manager` manages no such pending one. */
export async function deleteInvitation(pool: Queryable, id: string, manager: Scope | null): Promise<boolean> {
  const { rowCount } = await pool.query(
    `delete from invitations where id = $1 and user_id is null and ${isManaged('$2', '$3')}`,
    [id, manager?.projects ?? null, manager?.sites ?? null],
  );
  return rowCount === 1;
}

/** Removes invitations that nobody accepted in time, at most `limit` of them; returns how many. */
export async function deleteExpiredInvitations(pool: Queryable, limit: number): Promise<number> {
  const { rowCount } = await pool.query(
    'delete from invitations where id in (select id from invitations where expires_at < now() limit $1)',
    [limit],
  );
  return rowCount ?? 0;
}
