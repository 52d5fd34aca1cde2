/** A server over its own database, shared by all tests of one file. */
import { afterAll, beforeAll } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { startTestApi, type TestApi, type TestApiOptions } from './testApi.ts';

export interface ApiStage {
  database: TestDatabase;
  api: TestApi;
}

/**
 * Registers the hooks; call it before other hooks of the file.
 * @returns the stage, usable once the file's own hooks run
 */
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
