/** Cabinet tokens, of a user or of the installation. Only their hashes are stored. */
import type pg from 'pg';
import type { Role } from '../../domain/accounts/roles.ts';
import { lockUser } from './accounts.ts';
import type { CabinetUser } from './sessions.ts';
import { inTransaction, type Queryable } from '../pool.ts';

/** Maximum number of tokens per user; nobody can tell more of them apart. */
export const TOKENS_PER_USER = 100;

export interface TokenOwner {
  tokenId: string;
  name: string;
  role: Role;
  /** Null for a token of the installation. */
  user: CabinetUser | null;
}

/**
 * Returns the owner of the valid token with this hash; null when the hash is unknown, or the token has expired or was
 * revoked.
 */
export async function findTokenOwner(pool: Queryable, hash: Buffer): Promise<TokenOwner | null> {
  const { rows } = await pool.query<TokenOwner>({
    name: 'cabinet-token-owner',
    text: `select t.id as "tokenId", t.name, coalesce(u.role, t.role) as role,
                  case when u.id is not null then json_build_object(
                    'userId', u.id, 'email', u.email, 'role', u.role, 'state', u.state, 'projects', u.projects, 'sites', u.sites) end as "user"
             from cabinet_tokens t left join users u on u.id = t.user_id
            where t.hash = $1 and t.revoked_at is null and t.expires_at > now()`,
    values: [hash],
  });
  return rows[0] ?? null;
}

/** Records that a token was used, at most once a minute. */
export async function touchToken(pool: Queryable, tokenId: string): Promise<void> {
  await pool.query(
    `update cabinet_tokens set last_used_at = now()
      where id = $1 and (last_used_at is null or last_used_at < now() - interval '1 minute')`,
    [tokenId],
  );
}

export interface NewToken {
  name: string;
  prefix: string;
  hash: Buffer;
  /** Lifetime in days; a year by default. */
  days?: number;
  /** The token that creates this one; the new token expires no later than it. */
  madeBy?: string | null;
  /** Hash of the session in which it is created. */
  session?: Buffer | null;
}

/** Maximum lifetime of a token, and the cabinet's default, in days. */
export const TOKEN_DAYS = { max: 365, usual: 90 } as const;

/** Returns SQL for the expiry of a new token, from its lifetime and the expiry of the token that creates it. */
const endOf = (days: string, madeBy: string): string =>
  `least(now() + make_interval(days => ${days}), (select expires_at from cabinet_tokens where id = ${madeBy}::uuid))`;

export interface StoredToken {
  id: string;
  name: string;
  prefix: string;
  createdAt: Date;
  expiresAt: Date;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
}

const COLUMNS = `id, name, prefix, created_at as "createdAt", expires_at as "expiresAt", last_used_at as "lastUsedAt", revoked_at as "revokedAt"`;

/** The holder of tokens: a user's id, or null for the installation. */
export type TokenHolder = string | null;

/** Stores a token of the installation. */
export async function insertToken(pool: Queryable, token: NewToken & { role: Role }): Promise<StoredToken> {
  const { rows } = await pool.query<StoredToken>(
    `insert into cabinet_tokens (name, role, prefix, hash, expires_at) values ($1, $2, $3, $4, ${endOf('$5', '$6')}) returning ${COLUMNS}`,
    [token.name, token.role, token.prefix, token.hash, token.days ?? TOKEN_DAYS.max, token.madeBy ?? null],
  );
  if (!rows[0]) throw new Error('a token was inserted but not returned');
  return rows[0];
}

/**
 * Stores a token of a user.
 * @returns `full` when the user has `TOKENS_PER_USER` valid ones or no longer exists; `ended` when the session or token
 * that creates it has ended in the meantime: a change that ends all access to the account must not leave a new token
 * behind
 */
export async function insertUserToken(
  pool: pg.Pool,
  userId: string,
  token: NewToken,
): Promise<StoredToken | 'full' | 'ended'> {
  return inTransaction(pool, async (client) => {
    await lockUser(client, userId);
    if (!(await isMakerValid(client, token))) return 'ended';
    const { rows } = await client.query<StoredToken>(
      `insert into cabinet_tokens (user_id, name, prefix, hash, expires_at)
       select id, $2, $3, $4, ${endOf('$5', '$6')} from users
        where id = $1 and (select count(*) from cabinet_tokens where user_id = $1 and revoked_at is null and expires_at > now()) < ${TOKENS_PER_USER}
       returning ${COLUMNS}`,
      [userId, token.name, token.prefix, token.hash, token.days ?? TOKEN_DAYS.max, token.madeBy ?? null],
    );
    return rows[0] ?? 'full';
  });
}

async function isMakerValid(client: Queryable, { session, madeBy }: NewToken): Promise<boolean> {
  const { rows } = await client.query<{ isValid: boolean }>(
    `select ($1::bytea is null or exists (select from sessions where hash = $1))
        and ($2::uuid is null or exists (select from cabinet_tokens where id = $2 and revoked_at is null)) as "isValid"`,
    [session ?? null, madeBy ?? null],
  );
  return rows[0]?.isValid === true;
}

/**
 * Makes a token of the installation, even an expired one, valid for a year from now. False for an unknown or revoked
 * one.
 */
export async function prolongToken(pool: Queryable, hash: Buffer): Promise<boolean> {
  const { rowCount } = await pool.query(
    `update cabinet_tokens set expires_at = now() + make_interval(days => ${TOKEN_DAYS.max})
      where hash = $1 and user_id is null and revoked_at is null`,
    [hash],
  );
  return rowCount === 1;
}

/** Returns tokens in order of creation, including revoked ones, after the given id. */
export async function listTokens(
  pool: Queryable,
  holder: TokenHolder,
  page: { after: string | null; limit: number },
): Promise<StoredToken[]> {
  const { rows } = await pool.query<StoredToken>(
    `select ${COLUMNS} from cabinet_tokens
      where user_id is not distinct from $1 and ($2::uuid is null or id > $2) order by id limit $3`,
    [holder, page.after, page.limit],
  );
  return rows;
}

/**
 * Revokes a token permanently; a repeated call keeps the time of the first. False when the holder has no such token.
 */
export async function revokeToken(pool: Queryable, holder: TokenHolder, id: string): Promise<boolean> {
  const { rowCount } = await pool.query(
    'update cabinet_tokens set revoked_at = coalesce(revoked_at, now()) where id = $2 and user_id is not distinct from $1',
    [holder, id],
  );
  return rowCount === 1;
}
