/** Sessions of the cabinet's users. Only the hashes of their cookies are stored. */
import type { Role } from '../../domain/accounts/roles.ts';
import type { UserState } from './accounts.ts';
import type { Queryable } from '../pool.ts';

/**
 * A session ends after a day without use, and at the latest 30 days after its login (the maximum of NIST SP 800-63B for
 * its first assurance level).
 */
const SESSION_IDLE_SECONDS = 86_400;
export const SESSION_SECONDS = 30 * 86_400;

const IS_OVER = `(s.created_at < now() - interval '${SESSION_SECONDS} seconds' or s.last_used_at < now() - interval '${SESSION_IDLE_SECONDS} seconds')`;

/** The person behind a session or a token. */
export interface CabinetUser {
  userId: string;
  email: string;
  role: Role;
  state: UserState;
  projects: string[];
  sites: string[];
}

/**
 * Opens a session and records the login.
 * @returns false when the user does not exist or is blocked, or when the password has changed since it was checked
 */
export async function insertSession(
  pool: Queryable,
  session: { hash: Buffer; userId: string; passwordHash: string },
): Promise<boolean> {
  const { rowCount } = await pool.query(
    `with login as (update users set last_login_at = now() where id = $2 and password_hash = $3 and state = 'active' returning id)
     insert into sessions (hash, user_id) select $1, id from login`,
    [session.hash, session.userId, session.passwordHash],
  );
  return rowCount === 1;
}

/** Returns the user of a session; null when it is unknown or has ended. Records its use, at most once a minute. */
export async function findSessionUser(pool: Queryable, hash: Buffer): Promise<CabinetUser | null> {
  const { rows } = await pool.query<CabinetUser>({
    name: 'session-user',
    text: `with used as (
             update sessions s set last_used_at = now()
              where hash = $1 and last_used_at < now() - interval '1 minute' and not ${IS_OVER})
           select u.id as "userId", u.email, u.role, u.state, u.projects, u.sites
             from sessions s join users u on u.id = s.user_id where s.hash = $1 and not ${IS_OVER}`,
    values: [hash],
  });
  return rows[0] ?? null;
}

export interface StoredSession {
  id: string;
  createdAt: Date;
  lastUsedAt: Date;
  /** True for the session of the present request. */
  isCurrent: boolean;
}

/** Returns the active sessions of a user, in the order in which they were opened, after the given id. */
export async function listSessions(
  pool: Queryable,
  { userId, asking }: { userId: string; asking: Buffer | null },
  page: { after: string | null; limit: number },
): Promise<StoredSession[]> {
  const { rows } = await pool.query<StoredSession>(
    `select id, created_at as "createdAt", last_used_at as "lastUsedAt", hash is not distinct from $2::bytea as "isCurrent"
       from sessions s where user_id = $1 and ($3::uuid is null or id > $3) and not ${IS_OVER} order by id limit $4`,
    [userId, asking, page.after, page.limit],
  );
  return rows;
}

/** Ends one session of a user. False when the user has no such session. */
export async function deleteSessionOf(pool: Queryable, userId: string, id: string): Promise<boolean> {
  const { rowCount } = await pool.query('delete from sessions where user_id = $1 and id = $2', [userId, id]);
  return rowCount === 1;
}

/** Ends one session. */
export async function deleteSession(pool: Queryable, hash: Buffer): Promise<number> {
  const { rowCount } = await pool.query('delete from sessions where hash = $1', [hash]);
  return rowCount ?? 0;
}

/** Ends every session of a user, except the given one if any. */
export async function deleteUserSessions(
  pool: Queryable,
  userId: string,
  except: Buffer | null = null,
): Promise<number> {
  const { rowCount } = await pool.query(
    'delete from sessions where user_id = $1 and ($2::bytea is null or hash <> $2)',
    [userId, except],
  );
  return rowCount ?? 0;
}

/** Removes ended sessions, at most `limit` of them; returns how many. */
export async function deleteEndedSessions(pool: Queryable, limit: number): Promise<number> {
  const { rowCount } = await pool.query(
    `delete from sessions where hash in (select hash from sessions s where ${IS_OVER} limit $1)`,
    [limit],
  );
  return rowCount ?? 0;
}
