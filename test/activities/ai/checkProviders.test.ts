/** The checks of the providers that a worker makes when it starts and on request. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { checkProvidersOnDemand } from '../../../activities/ai/checkProviders.ts';
import { loadConfig } from '../../../config.ts';
import { listProviderChecks, requestProviderCheck } from '../../../db/installation/providerChecks.ts';
import { createLogger } from '../../../platform/process/logger.ts';
import { createProviders } from '../../../providers/setup/createProviders.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { startOpenAiServer, type OpenAiServer } from '../../support/openai/openaiServer.ts';

let database: TestDatabase;
let server: OpenAiServer;
let silent: OpenAiServer;
let workDir: string;

beforeAll(async () => {
  database = await createTestDatabase();
  [server, silent] = await Promise.all([startOpenAiServer(), startOpenAiServer()]);
  workDir = await mkdtemp(join(tmpdir(), 'attune-check-'));
});
afterAll(async () => {
  await Promise.all([server.close(), silent.close()]);
  await rm(workDir, { recursive: true });
  await database.drop();
});

it('a request for a check does not wait for a server that has not answered the last one', async () => {
  const { pool } = database;
  const config = loadConfig({
    DATABASE_URL: 'postgres://x@localhost/x',
    SECRET_KEY: 'x'.repeat(32),
    PUBLIC_URL: 'https://attune.example',
    WORK_DIR: workDir,
    SPEECH_PROVIDER: 'off',
    SUMMARY_BASE_URL: server.baseUrl,
    SUMMARY_API_KEY: 'test-key',
    EMBEDDING_BASE_URL: silent.baseUrl,
    EMBEDDING_API_KEY: 'test-key',
  });
  silent.script('/embeddings', () => ({ stall: 'headers' }));
  server.script('/chat/completions', (_request, index) =>
    index === 0 ? { status: 401, json: { error: { message: 'bad key' } } } : undefined,
  );
  const summaryIs = (state: string) => async () =>
    (await listProviderChecks(pool)).some((check) => check.capability === 'summary' && check.state === state);
  const { providers, close } = await createProviders(config);
  const checking = checkProvidersOnDemand(pool, { ...config, providers }, createLogger('test', 'silent'));
  try {
    await eventually(summaryIs('fails'), 'the first check');
    await requestProviderCheck(pool);
    expect(await eventually(summaryIs('works'), 'the second check')).toBe(true);
  } finally {
    await checking.close();
    await close();
  }
});
