/** A server over a database of its own, for all tests of one file. */
import { afterAll, beforeAll } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { startTestApi, type TestApi, type TestApiOptions } from './testApi.ts';

export interface ApiStage {
  database: TestDatabase;
  api: TestApi;
}

/** Call it before other hooks of the file. @returns what is there once the file's own hooks run */
export function stageApi(options: Omit<TestApiOptions, 'databaseUrl'> = {}): ApiStage {
  const stage: Partial<ApiStage> = {};
  beforeAll(async () => {
    const database = await createTestDatabase();
    Object.assign(stage, { database });
    Object.assign(stage, { api: await startTestApi({ ...options, databaseUrl: database.url }) });
  });
  afterAll(async () => {
    await stage.api?.close();
    await stage.database?.drop();
  });
  return stage as ApiStage;
}
