/** Tokens of the cabinet, a user's or the installation's own: only their hashes are stored. */
import type pg from 'pg';
import type { Role } from '../domain/roles.ts';
import type { CabinetUser } from './sessions.ts';
import { inTransaction, type Queryable } from './pool.ts';

/** So many tokens of one user are more than anybody can tell apart. */
export const TOKENS_PER_USER = 100;

export interface TokenOwner {
  tokenId: string;
  name: string;
  role: Role;
  /** Null for a token of the installation. */
  user: CabinetUser | null;
}

/** Whose valid token has this hash; null when nobody's or a revoked one's. */
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

/** Notes that a token was used, at most once a minute. */
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
  /** A year unless said otherwise. */
  days?: number;
  /** The token that makes it: it ends no later than that one. */
  madeBy?: string | null;
}

/** The longest that a token lives. */
export const TOKEN_DAYS = { max: 365, usual: 90 } as const;

/** When a new token ends, of its days and its maker. */
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

/** Whose tokens are meant: a user's, or (null) the installation's. */
export type TokenHolder = string | null;

/** Stores a token of the installation. */
export async function insertToken(pool: Queryable, token: NewToken & { role: Role }): Promise<StoredToken> {
  const { rows } = await pool.query<StoredToken>(
    `insert into cabinet_tokens (name, role, prefix, hash, expires_at) values ($1, $2, $3, $4, ${endOf('$5', '$6')}) returning ${COLUMNS}`,
    [token.name, token.role, token.prefix, token.hash, token.days ?? TOKEN_DAYS.max, token.madeBy ?? null],
  );
  if (!rows[0]) throw new Error('a token was inserted and not returned');
  return rows[0];
}

/** Stores a token of a user. @returns null when he has `TOKENS_PER_USER` valid ones, or is gone */
export async function insertUserToken(pool: pg.Pool, userId: string, token: NewToken): Promise<StoredToken | null> {
  return inTransaction(pool, async (client) => {
    // Two requests at once count one after the other: a statement that waits would count what was before.
    await client.query('select from users where id = $1 for update', [userId]);
    const { rows } = await client.query<StoredToken>(
      `insert into cabinet_tokens (user_id, name, prefix, hash, expires_at)
       select id, $2, $3, $4, ${endOf('$5', '$6')} from users
        where id = $1 and (select count(*) from cabinet_tokens where user_id = $1 and revoked_at is null and expires_at > now()) < ${TOKENS_PER_USER}
       returning ${COLUMNS}`,
      [userId, token.name, token.prefix, token.hash, token.days ?? TOKEN_DAYS.max, token.madeBy ?? null],
    );
    return rows[0] ?? null;
  });
}

/** Lets a token of the installation live a year from now on, also one that is over. False for an unknown or revoked one. */
export async function prolongToken(pool: Queryable, hash: Buffer): Promise<boolean> {
  const { rowCount } = await pool.query(
    `update cabinet_tokens set expires_at = now() + make_interval(days => ${TOKEN_DAYS.max})
      where hash = $1 and user_id is null and revoked_at is null`,
    [hash],
  );
  return rowCount === 1;
}

/** Tokens in order of creation, revoked ones included, after the given id. */
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

/** Revokes a token for good; a repeat keeps the first time. False when the holder has no such token. */
export async function revokeToken(pool: Queryable, holder: TokenHolder, id: string): Promise<boolean> {
  const { rowCount } = await pool.query(
    'update cabinet_tokens set revoked_at = coalesce(revoked_at, now()) where id = $2 and user_id is not distinct from $1',
    [holder, id],
  );
  return rowCount === 1;
}
