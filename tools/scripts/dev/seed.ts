/** Creates the development stack's own client, project and keys in the database of this start. */
import type pg from 'pg';
import { insertToken, prolongToken } from '../../../db/accounts/cabinetTokens.ts';
import { ensureClient } from '../../../db/accounts/clients.ts';
import { createPool } from '../../../db/pool.ts';
import { findKeyOwner, insertProjectKey } from '../../../db/accounts/projectKeys.ts';
import { findProject, insertProject } from '../../../db/accounts/projects.ts';
import { ensureSiteKey, type SiteKeyKind } from '../../../db/sites/siteKeys.ts';
import { ensureSite } from '../../../db/sites/sites.ts';
import { keyHash, newKey, storedKey } from '../../../domain/accounts/keyFormats.ts';
import type { DevKeys } from './settings/devFiles.ts';

const TITLE = 'Development';
const KEY_NAME = 'npm start';
/** Any page on a developer's machine may send hits. */
const SITE = { title: TITLE, hosts: ['*'], timezone: 'Europe/Moscow', currency: 'RUB' };
const UNIQUE_VIOLATION = '23505';

/**
 * Makes sure that the keys of a data folder are valid in the database of this start, which may be new.
 * @returns the keys, with new ones for those that were revoked.
 */
export async function seed(databaseUrl: string, keys: DevKeys): Promise<DevKeys> {
  const pool = createPool({ databaseUrl, size: 1, applicationName: 'attune-dev-seed' });
  try {
    await ensureProject(pool, keys.projectId);
    return {
      ...keys,
      projectKey: await ensureProjectKey(pool, keys.projectId, keys.projectKey),
      cabinetToken: await ensureCabinetToken(pool, keys.cabinetToken),
      ...(await ensureSiteAndKeys(pool, keys)),
    };
  } finally {
    await pool.end();
  }
}

async function ensureProject(pool: pg.Pool, id: string): Promise<void> {
  if ((await findProject(pool, id)) !== null) return;
  const clientId = await ensureClient(pool, TITLE);
  await insertProject(pool, { id, clientId, title: TITLE });
}

async function ensureProjectKey(pool: pg.Pool, projectId: string, kept: string): Promise<string> {
  const owner = await findKeyOwner(pool, keyHash(kept));
  if (owner !== null && owner.projectId === projectId && !owner.isRevoked) return kept;
  const key = owner === null ? kept : newKey('project');
  await insertProjectKey(pool, projectId, { name: KEY_NAME, ...storedKey(key) });
  return key;
}

async function ensureSiteAndKeys(pool: pg.Pool, keys: DevKeys): Promise<Pick<DevKeys, 'siteApiKey' | 'siteTagKey'>> {
  await ensureSite(pool, { id: keys.siteId, clientId: await ensureClient(pool, TITLE), ...SITE });
  const ensureKey = async (kind: SiteKeyKind, kept: string): Promise<string> => {
    const store = (key: string) =>
      ensureSiteKey(pool, keys.siteId, {
        kind,
        name: KEY_NAME,
        publicKey: kind === 'tag' ? key : null,
        ...storedKey(key),
      });
    if (await store(kept)) return kept;
    const fresh = newKey(kind === 'api' ? 'site' : 'tag');
    await store(fresh);
    return fresh;
  };
  return { siteApiKey: await ensureKey('api', keys.siteApiKey), siteTagKey: await ensureKey('tag', keys.siteTagKey) };
}

async function ensureCabinetToken(pool: pg.Pool, kept: string): Promise<string> {
  if (await prolongToken(pool, keyHash(kept))) return kept;
  try {
    return await storeToken(pool, kept);
  } catch (error) {
    if ((error as { code?: unknown }).code !== UNIQUE_VIOLATION) throw error;
    return storeToken(pool, newKey('cabinet')); // the stored one was revoked, for good
  }
}

async function storeToken(pool: pg.Pool, token: string): Promise<string> {
  await insertToken(pool, { name: KEY_NAME, role: 'admin', ...storedKey(token) });
  return token;
}
