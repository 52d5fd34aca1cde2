/** Two processes of the API over one database, both listening for closed accesses. */
import { afterAll, beforeAll } from '@jest/globals';
import { KEY_CACHE_TTL_MS } from '../../../api/auth/keyCache.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { clientOf, createTestToken, startTestApi, type Client, type TestApi } from './testApi.ts';

/** A second before a process would have looked again by itself. */
export const WITHOUT_WAITING_MS = KEY_CACHE_TTL_MS - 1_000;

export interface TwoApis {
  database: TestDatabase;
  apis: TestApi[];
  admin: Client;
  /** Connections on which the LISTEN is through. */
  listeners(): Promise<number>;
}

/** Call it before other hooks of the file. @returns what is there once the file's own hooks run */
export function stageTwoApis(): TwoApis {
  const stage = { apis: [] as TestApi[], listeners } as unknown as TwoApis;
  async function listeners(): Promise<number> {
    const { rows } = await stage.database.pool.query(
      `select from pg_stat_activity where datname = current_database() and application_name = 'attune-listen-access' and state = 'idle' and query ilike 'listen%'`,
    );
    return rows.length;
  }
  beforeAll(async () => {
    stage.database = await createTestDatabase();
    stage.apis = await Promise.all([1, 2].map(() => startTestApi({ databaseUrl: stage.database.url })));
    stage.admin = clientOf(stage.apis[0]?.cabinet ?? '', await createTestToken(stage.database.pool));
    await eventually(async () => (await listeners()) === 2, 'both processes listen');
  });
  afterAll(async () => {
    for (const api of stage.apis) await api.close();
    await stage.database?.drop();
  });
  return stage;
}
