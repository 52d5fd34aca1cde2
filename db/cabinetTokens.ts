/** Personal tokens of the cabinet: only their hashes are stored. */
import type { Queryable } from './pool.ts';

export type CabinetRole = 'admin' | 'owner' | 'viewer';

export interface TokenOwner {
  tokenId: string;
  name: string;
  role: CabinetRole;
}

/** Whose valid token has this hash; null when nobody's or a revoked one's. */
export async function findTokenOwner(pool: Queryable, hash: Buffer): Promise<TokenOwner | null> {
  const { rows } = await pool.query<TokenOwner>({
    name: 'cabinet-token-owner',
    text: 'select id as "tokenId", name, role from cabinet_tokens where hash = $1 and revoked_at is null',
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

/** Stores a token; returns its id. */
export async function insertToken(pool: Queryable, token: { name: string; role: CabinetRole; prefix: string; hash: Buffer }): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(
    'insert into cabinet_tokens (name, role, prefix, hash) values ($1, $2, $3, $4) returning id',
    [token.name, token.role, token.prefix, token.hash],
  );
  if (!rows[0]) throw new Error('a token was inserted and not returned');
  return rows[0].id;
}
