/** People to delete, in a new project for each test. */
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { purgeChunk } from '../../../db/people/purge.ts';
import { findProfile, writeProfiles } from '../../../db/people/profiles.ts';
import type { IdentityKind } from '../../../domain/people/identity.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { identityOf, link, type People } from '../../support/people/people.ts';
import { createTestProject } from '../../support/project.ts';

export interface DeletionStage extends People {
  database: TestDatabase;
  find(kind: IdentityKind, externalId: string): ReturnType<typeof findProfile>;
  /** Counts the project's rows of a table. @param where an additional condition that begins with `and` */
  count(table: string, where?: string): Promise<number>;
  /** Purges a person to the end of a pass. @returns the number of rows */
  purgeAll(rootId: string, isLastPass: boolean, limit?: number): Promise<number>;
}

export const FINGERPRINT = '0d9f2b4e-1111-4222-8333-444455556666';

/** Registers the hooks; call it before other hooks of the file. */
export function stageDeletions(): DeletionStage {
  const stage = {} as DeletionStage;
  beforeAll(async () => {
    stage.database = await createTestDatabase();
    stage.pool = stage.database.pool;
  });
  beforeEach(async () => {
    stage.projectId = await createTestProject(stage.pool);
  });
  afterAll(() => stage.database?.drop());
  stage.find = (kind, externalId) => findProfile(stage.pool, stage.projectId, { kind, externalId });
  stage.count = async (table, where = '') =>
    (
      await stage.pool.query<{ n: number }>(`select count(*)::int as n from ${table} where project_id = $1 ${where}`, [
        stage.projectId,
      ])
    ).rows[0]?.n ?? -1;
  stage.purgeAll = async (rootId, isLastPass, limit = 7) => {
    for (let rows = 0; ;) {
      const done = await purgeChunk(stage.pool, { projectId: stage.projectId, rootId, limit, isLastPass });
      rows += done.rows;
      if (done.state !== 'more') return rows;
    }
  };
  return stage;
}

/** Creates a user with a linked device and fingerprint, and a stranger, and a profile for each but the fingerprint. */
export async function makePeople(people: People): Promise<{ user: string; device: string; stranger: string }> {
  await link(people, 'u', 'd', FINGERPRINT);
  for (const [kind, externalId] of [
    ['user', 'u'],
    ['anonymous', 'd'],
    ['user', 'stranger'],
  ] as const) {
    await writeProfiles(
      people.pool,
      people.projectId,
      [{ identifier: { kind, externalId }, seenOn: null, change: { city: 'омск' } }],
      new Date(),
    );
  }
  return {
    user: await identityOf(people, 'user', 'u'),
    device: await identityOf(people, 'anonymous', 'd'),
    stranger: await identityOf(people, 'user', 'stranger'),
  };
}
