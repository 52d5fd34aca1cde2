/** Keys of projects. Only their hashes are stored. */
import type pg from 'pg';
import type { ProjectLimits } from '../../domain/accounts/projectLimits.ts';
import { inTransaction, type Queryable } from '../pool.ts';
import { TooManyKeysError } from '../sites/siteKeys.ts';

/**
 * Notified when a key is revoked, and when the rights of keys change through their project or client (migration 0019).
 */
export const ACCESS_CHANNEL = 'access';

export interface KeyOwner {
  projectId: string;
  keyId: string;
  isRevoked: boolean;
  projectState: 'active' | 'suspended' | 'archived';
  clientState: 'active' | 'blocked';
  /** Only those that differ from the defaults. */
  limits: Partial<ProjectLimits>;
  /** True when the project uses device fingerprints. */
  fingerprints: boolean;
}

/** Returns the owner of the key with this hash, even a revoked one; null when the hash is unknown. */
export async function findKeyOwner(pool: Queryable, hash: Buffer): Promise<KeyOwner | null> {
  const { rows } = await pool.query<KeyOwner>({
    name: 'project-key-owner',
    text: `select k.project_id as "projectId", k.id as "keyId", k.revoked_at is not null as "isRevoked",
                  p.state as "projectState", c.state as "clientState", p.limits, p.fingerprints
             from project_keys k
             join projects p on p.id = k.project_id
             join clients c on c.id = p.client_id
            where k.hash = $1`,
    values: [hash],
  });
  return rows[0] ?? null;
}

/** Records that a key was used, at most once a minute, however many processes call. */
export async function touchProjectKey(pool: Queryable, projectId: string, keyId: string): Promise<void> {
  await pool.query({
    name: 'project-key-touch',
    text: `update project_keys set last_used_at = now()
            where project_id = $1 and id = $2 and (last_used_at is null or last_used_at < now() - interval '1 minute')`,
    values: [projectId, keyId],
  });
}

export interface StoredKey {
  id: string;
  name: string;
  prefix: string;
  createdAt: Date;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
}

const KEY_COLUMNS = `id, name, prefix, created_at as "createdAt", last_used_at as "lastUsedAt", revoked_at as "revokedAt"`;

/** Maximum number of valid keys of a project. Limits apply to each key, so this bounds the requests of one project. */
export const KEYS_PER_PROJECT = 20;

/**
 * Stores a key.
 * @throws {TooManyKeysError} when the project has `KEYS_PER_PROJECT` valid ones, even under concurrent requests
 */
export function insertProjectKey(
  pool: pg.Pool,
  projectId: string,
  key: { name: string; prefix: string; hash: Buffer },
): Promise<StoredKey> {
  return inTransaction(pool, async (client) => {
    // Concurrent requests count one after the other. The lock has a statement of its own, because a statement that
    // waits counts the rows as they were before the wait.
    await client.query('select from projects where id = $1 for no key update', [projectId]);
    const { rows } = await client.query<StoredKey>(
      `insert into project_keys (project_id, name, prefix, hash)
       select $1, $2, $3, $4
        where (select count(*) from project_keys where project_id = $1 and revoked_at is null) < ${KEYS_PER_PROJECT}
       returning ${KEY_COLUMNS}`,
      [projectId, key.name, key.prefix, key.hash],
    );
    if (!rows[0]) throw new TooManyKeysError('the project has as many valid keys as it may: revoke one first');
    return rows[0];
  });
}

/** Returns keys in order of creation, including revoked ones, after the given id. */
export async function listProjectKeys(
  pool: Queryable,
  projectId: string,
  page: { after: string | null; limit: number },
): Promise<StoredKey[]> {
  const { rows } = await pool.query<StoredKey>(
    `select ${KEY_COLUMNS} from project_keys
      where project_id = $1 and ($2::uuid is null or id > $2) order by id limit $3`,
    [projectId, page.after, page.limit],
  );
  return rows;
}

/** Revokes a key permanently; a repeated call keeps the time of the first. False when the project has no such key. */
export async function revokeProjectKey(pool: Queryable, projectId: string, keyId: string): Promise<boolean> {
  const { rowCount } = await pool.query(
    'update project_keys set revoked_at = coalesce(revoked_at, now()) where project_id = $1 and id = $2',
    [projectId, keyId],
  );
  return rowCount === 1;
}
