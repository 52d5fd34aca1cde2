/** Links that sign a person in once. Only the hashes of their secrets are stored. */
import { signInUrl } from '../../domain/accounts/cabinetUrls.ts';
import { keyHash, newKey } from '../../domain/accounts/keyFormats.ts';
import type { Scope } from '../../domain/accounts/roles.ts';
import { isManaged, type StoredUser } from './accounts.ts';
import type { Queryable } from '../pool.ts';

/** OWASP's "Forgot Password" cheat sheet requires a short lifetime and a single use. */
export const SIGN_IN_LINK_MINUTES = 10;

const DIGEST = `sha256(convert_to(password_hash, 'UTF8'))`;

/**
 * Creates a link for a user, replacing an earlier one.
 * @returns when it expires; null when `manager` manages no such active user
 */
export async function insertSignInLink(
  pool: Queryable,
  { hash, userId, manager }: { hash: Buffer; userId: string; manager: Scope | null },
): Promise<Date | null> {
  const { rows } = await pool.query<{ expiresAt: Date }>(
    `insert into sign_in_links (user_id, hash, password_digest, expires_at)
     select id, $2, ${DIGEST}, now() + interval '${SIGN_IN_LINK_MINUTES} minutes' from users
      where id = $1 and state = 'active' and ${isManaged('$3', '$4')}
     on conflict (user_id) do update
        set hash = excluded.hash, password_digest = excluded.password_digest, expires_at = excluded.expires_at
     returning expires_at as "expiresAt"`,
    [userId, hash, manager?.projects ?? null, manager?.sites ?? null],
  );
  return rows[0]?.expiresAt ?? null;
}

/**
 * Creates a link with a new secret. Its address is stored nowhere else, so the caller has to pass it on. Null when
 * `manager` manages no such active user.
 */
export async function makeSignInLink(
  pool: Queryable,
  { publicUrl, ...whose }: { userId: string; manager: Scope | null; publicUrl: string },
): Promise<{ url: string; expiresAt: Date } | null> {
  const secret = newKey('signInLink');
  const expiresAt = await insertSignInLink(pool, { ...whose, hash: keyHash(secret) });
  return expiresAt && { url: signInUrl(publicUrl, secret), expiresAt };
}

const OPEN = `l.hash = $1 and l.expires_at > now() and l.user_id = u.id and l.password_digest = ${DIGEST}`;

export type SignInUser = Pick<StoredUser, 'id' | 'email' | 'role' | 'state' | 'projects' | 'sites'>;

/** Returns the user whom a link would sign in; null when it is not (or no longer) valid. */
export async function findSignInUser(pool: Queryable, hash: Buffer): Promise<SignInUser | null> {
  const { rows } = await pool.query<SignInUser>(
    `select u.id, u.email, u.role, u.state, u.projects, u.sites from sign_in_links l, users u where ${OPEN}`,
    [hash],
  );
  return rows[0] ?? null;
}

/**
 * Uses a link up and opens a session. The user's row is locked first, so that a concurrent change of the password or of
 * the rights decides whether the link is still valid.
 * @returns false when it is not (or no longer) valid
 */
export async function redeemSignInLink(
  pool: Queryable,
  { hash, sessionHash }: { hash: Buffer; sessionHash: Buffer },
): Promise<boolean> {
  const { rowCount } = await pool.query(
    `with login as (
       update users u set last_login_at = now() from sign_in_links l where ${OPEN} and u.state = 'active' returning u.id),
     redeemed as (delete from sign_in_links where hash = $1 and user_id in (select id from login) returning user_id)
     insert into sessions (hash, user_id) select $2, user_id from redeemed`,
    [hash, sessionHash],
  );
  return rowCount === 1;
}

/** Removes expired links, at most `limit` of them; returns how many. */
export async function deleteExpiredSignInLinks(pool: Queryable, limit: number): Promise<number> {
  const { rowCount } = await pool.query(
    'delete from sign_in_links where user_id in (select user_id from sign_in_links where expires_at < now() limit $1)',
    [limit],
  );
  return rowCount ?? 0;
}
