/** Keys of projects: only their hashes are stored. */
import type { Queryable } from './pool.ts';

/** Notified when a key is revoked, and when a project or a client changes in what its keys may do (migration 0019). */
export const ACCESS_CHANNEL = 'access';

/** Only what differs from the documented defaults. */
export interface ProjectLimits {
  requests_per_second?: number;
  output_per_second?: number;
}

export interface KeyOwner {
  projectId: string;
  keyId: string;
  isRevoked: boolean;
  projectState: 'active' | 'suspended' | 'archived';
  clientState: 'active' | 'blocked';
  limits: ProjectLimits;
  /** Whether device fingerprints count. */
  fingerprints: boolean;
}

/** Whose key has this hash, revoked ones included; null when nobody's. */
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

/** Notes that a key was used, at most once a minute whatever number of processes ask. */
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

export async function insertProjectKey(
  pool: Queryable,
  projectId: string,
  key: { name: string; prefix: string; hash: Buffer },
): Promise<StoredKey> {
  const { rows } = await pool.query<StoredKey>(
    `insert into project_keys (project_id, name, prefix, hash) values ($1, $2, $3, $4) returning ${KEY_COLUMNS}`,
    [projectId, key.name, key.prefix, key.hash],
  );
  if (!rows[0]) throw new Error('a key was inserted and not returned');
  return rows[0];
}

/** Keys in order of creation, revoked ones included, after the given id. */
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

/** Revokes a key for good; a repeat keeps the first time. False when the project has no such key. */
export async function revokeProjectKey(pool: Queryable, projectId: string, keyId: string): Promise<boolean> {
  const { rowCount } = await pool.query(
    'update project_keys set revoked_at = coalesce(revoked_at, now()) where project_id = $1 and id = $2',
    [projectId, keyId],
  );
  return rowCount === 1;
}
