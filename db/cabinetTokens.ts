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
            where t.hash = $1 and t.revoked_at is null`,
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
}

export interface StoredToken {
  id: string;
  name: string;
  prefix: string;
  createdAt: Date;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
}

const COLUMNS = `id, name, prefix, created_at as "createdAt", last_used_at as "lastUsedAt", revoked_at as "revokedAt"`;

/** Whose tokens are meant: a user's, or (null) the installation's. */
export type TokenHolder = string | null;

/** Stores a token of the installation. */
export async function insertToken(pool: Queryable, token: NewToken & { role: Role }): Promise<StoredToken> {
  const { rows } = await pool.query<StoredToken>(
    `insert into cabinet_tokens (name, role, prefix, hash) values ($1, $2, $3, $4) returning ${COLUMNS}`,
    [token.name, token.role, token.prefix, token.hash],
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
      `insert into cabinet_tokens (user_id, name, prefix, hash)
       select id, $2, $3, $4 from users
        where id = $1 and (select count(*) from cabinet_tokens where user_id = $1 and revoked_at is null) < ${TOKENS_PER_USER}
       returning ${COLUMNS}`,
      [userId, token.name, token.prefix, token.hash],
    );
    return rows[0] ?? null;
  });
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
