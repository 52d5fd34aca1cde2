import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findTokenOwner, revokeToken } from '../../../../db/accounts/cabinetTokens.ts';
import { findTagKey, revokeSiteKey } from '../../../../db/sites/siteKeys.ts';
import { findApiKeySite, findTagKeySite } from '../../../../db/sites/siteSettings.ts';
import { keyHash } from '../../../../domain/accounts/keyFormats.ts';
import { loadKeys, type DevKeys } from '../../../../tools/scripts/dev/settings/devFiles.ts';
import { seed } from '../../../../tools/scripts/dev/seed.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';

let database: TestDatabase;
let folder: string;
let keys: DevKeys;

beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'attune-seed-'));
  keys = await loadKeys(folder);
});

afterAll(async () => {
  await database?.drop();
  await rm(folder, { recursive: true, force: true });
});

describe('the development site', () => {
  it('accepts any host, and its keys work, at every start', async () => {
    for (let start = 0; start < 2; start += 1) expect(await seed(database.url, keys)).toEqual(keys);
    expect(await findTagKeySite(database.pool, keyHash(keys.siteTagKey))).toMatchObject({
      siteId: keys.siteId,
      access: 'open',
      hosts: ['*'],
      timezone: 'Europe/Moscow',
      currency: 'RUB',
    });
    expect(await findApiKeySite(database.pool, keyHash(keys.siteApiKey))).toMatchObject({
      settings: { siteId: keys.siteId },
    });
    expect(await findTagKey(database.pool, keys.siteId)).toBe(keys.siteTagKey);
  });

  it('gets a new key in place of a revoked one', async () => {
    const { rows } = await database.pool.query<{ id: string }>('select id from site_keys where hash = $1', [
      keyHash(keys.siteTagKey),
    ]);
    await revokeSiteKey(database.pool, keys.siteId, rows[0]?.id ?? '');
    const { siteTagKey } = await seed(database.url, keys);
    expect(siteTagKey).not.toBe(keys.siteTagKey);
    expect(await findTagKey(database.pool, keys.siteId)).toBe(siteTagKey);
  });
});

describe('the token of the cabinet', () => {
  // proves: decisions-cabinet/development-token
  it("is an administrator's, also when it replaces a revoked one", async () => {
    const { cabinetToken } = await seed(database.url, keys);
    const owner = await findTokenOwner(database.pool, keyHash(cabinetToken));
    expect(owner).toMatchObject({ role: 'admin', user: null });
    await revokeToken(database.pool, null, owner?.tokenId ?? '');
    const fresh = await seed(database.url, keys);
    expect(fresh.cabinetToken).not.toBe(cabinetToken);
    expect(await findTokenOwner(database.pool, keyHash(fresh.cabinetToken))).toMatchObject({ role: 'admin' });
  });
});
