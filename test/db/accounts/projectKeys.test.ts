import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findKeyOwner, listProjectKeys, revokeProjectKey, touchProjectKey } from '../../../db/accounts/projectKeys.ts';
import { keyHash } from '../../../domain/accounts/keyFormats.ts';
import { createTestProject, type TestProject } from '../../api/support/testApi.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
let project: TestProject;

beforeAll(async () => {
  database = await createTestDatabase();
  project = await createTestProject(database.pool);
});

afterAll(async () => {
  await database?.drop();
});

async function lastUsed(): Promise<Date | null> {
  return (await listProjectKeys(database.pool, project.id, { after: null, limit: 10 }))[0]?.lastUsedAt ?? null;
}

describe('project keys', () => {
  // proves: decisions-keys/stored-hash
  it('are stored as a hash only', async () => {
    const { rows } = await database.pool.query('select * from project_keys');
    expect(JSON.stringify(rows)).not.toContain(project.key);
    expect(await findKeyOwner(database.pool, keyHash(project.key))).toMatchObject({
      projectId: project.id,
      isRevoked: false,
      projectState: 'active',
      clientState: 'active',
    });
    expect(await findKeyOwner(database.pool, keyHash('ck_other'))).toBeNull();
  });

  // proves: decisions-keys/last-used
  it('record their use at most once a minute', async () => {
    await touchProjectKey(database.pool, project.id, project.keyId);
    const first = await lastUsed();
    expect(first).not.toBeNull();
    await touchProjectKey(database.pool, project.id, project.keyId);
    expect(await lastUsed()).toEqual(first);
    const isTouchedAfter = async (seconds: number): Promise<boolean> => {
      await database.pool.query('update project_keys set last_used_at = now() - make_interval(secs => $1)', [seconds]);
      const aged = await lastUsed();
      await touchProjectKey(database.pool, project.id, project.keyId);
      return (await lastUsed())?.getTime() !== aged?.getTime();
    };
    expect([await isTouchedAfter(50), await isTouchedAfter(61)]).toEqual([false, true]);
  });

  // proves: decisions-keys/stored-fields
  it('keep the time of their first revocation', async () => {
    expect(await revokeProjectKey(database.pool, 'otherproject', project.keyId)).toBe(false);
    expect(await revokeProjectKey(database.pool, project.id, project.keyId)).toBe(true);
    const [revoked] = await listProjectKeys(database.pool, project.id, { after: null, limit: 10 });
    expect(await revokeProjectKey(database.pool, project.id, project.keyId)).toBe(true);
    expect((await listProjectKeys(database.pool, project.id, { after: null, limit: 10 }))[0]?.revokedAt).toEqual(
      revoked?.revokedAt,
    );
  });
});
