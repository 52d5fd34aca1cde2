/** The second factor of users: the secret of their one-time codes, the last code used, and recovery codes. */
import type pg from 'pg';
import { inTransaction, type Queryable } from '../pool.ts';

export interface SecondFactor {
  /** Encrypted. */
  secret: Buffer;
  /** False while it is being set up. */
  isOn: boolean;
}

/** Returns null for a user without one. */
export async function findSecondFactor(pool: Queryable, userId: string): Promise<SecondFactor | null> {
  const { rows } = await pool.query<SecondFactor>(
    'select totp_secret as secret, totp_since is not null as "isOn" from users where id = $1 and totp_secret is not null',
    [userId],
  );
  return rows[0] ?? null;
}

/** Stores a secret that is not active yet. False when the user has an active one. */
export async function beginSecondFactor(pool: Queryable, userId: string, secret: Buffer): Promise<boolean> {
  const { rowCount } = await pool.query(
    'update users set totp_secret = $2, totp_step = 0 where id = $1 and totp_since is null',
    [userId, secret],
  );
  return rowCount === 1;
}

/**
 * Activates the secret, with new recovery codes. False when another setup has begun in the meantime, or a second factor
 * is already active.
 */
export async function confirmSecondFactor(
  pool: pg.Pool,
  userId: string,
  { secret, step, recoveryHashes }: { secret: Buffer; step: number; recoveryHashes: readonly Buffer[] },
): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      'update users set totp_since = now(), totp_step = $3 where id = $1 and totp_secret = $2 and totp_since is null',
      [userId, secret, step],
    );
    if (rowCount !== 1) return false;
    await client.query('delete from recovery_codes where user_id = $1', [userId]);
    await client.query('insert into recovery_codes (user_id, hash) select $1, unnest($2::bytea[])', [
      userId,
      recoveryHashes,
    ]);
    return true;
  });
}

/**
 * Uses the code of a time step. False when it, or a later one, was used before: one of two concurrent uses is refused.
 */
export async function useTotpStep(pool: Queryable, userId: string, step: number): Promise<boolean> {
  const { rowCount } = await pool.query('update users set totp_step = $2 where id = $1 and totp_step < $2', [
    userId,
    step,
  ]);
  return rowCount === 1;
}

export async function countRecoveryCodes(pool: Queryable, userId: string): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    'select count(*)::integer as count from recovery_codes where user_id = $1 and used_at is null',
    [userId],
  );
  return rows[0]?.count ?? 0;
}

/** Uses a recovery code, once. */
export async function useRecoveryCode(pool: Queryable, userId: string, hash: Buffer): Promise<boolean> {
  const { rowCount } = await pool.query(
    'update recovery_codes set used_at = now() where user_id = $1 and hash = $2 and used_at is null',
    [userId, hash],
  );
  return rowCount === 1;
}

/** Removes the second factor. False when there was none. */
export async function removeSecondFactor(pool: Queryable, userId: string): Promise<boolean> {
  const { rowCount } = await pool.query(
    `with codes as (delete from recovery_codes where user_id = $1)
     update users set totp_secret = null, totp_since = null, totp_step = 0 where id = $1 and totp_secret is not null`,
    [userId],
  );
  return rowCount === 1;
}
