/** The commands of docker-compose.yml, run outside Docker with the environment that they have in it. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '../../tools/scripts/engines/servers/freePort.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import {
  testDuckdbExtensions,
  testFfmpeg,
  testNudityModel,
  testSentenceEncoder,
  testTessdataDirs,
  testTextReaders,
  testVoiceModel,
} from '../support/programs/engines.ts';
import { createTestTemporal, type TestTemporal } from '../support/temporal.ts';
import { testWorkflowBundle } from '../support/workflows/workflows.ts';
import { FILLED, ownServices, readCompose, type Service } from '../ops/support/compose.ts';
import { environmentOf, runCommand, type Container } from '../ops/support/container.ts';

const compose = readCompose(FILLED);
const longRunning = ownServices(compose).filter(([, service]) => service.healthcheck !== undefined);
const started: Container[] = [];
let database: TestDatabase;
let temporal: TestTemporal;
let folder: string;

beforeAll(async () => {
  database = await createTestDatabase();
  temporal = await createTestTemporal();
  folder = await mkdtemp(join(tmpdir(), 'attune-ops-'));
});

afterEach(async () => {
  for (const { process: child, exited } of started.splice(0)) {
    if (child.exitCode === null) child.kill('SIGKILL');
    await exited;
  }
});

afterAll(async () => {
  await temporal.close();
  await database.drop();
  await rm(folder, { recursive: true });
});

/**
 * Returns loopback for the names of the network, free ports for the container's own, and folders of the test for
 * the volumes.
 */
async function placesOf(port: number, metricsPort: number): Promise<Record<string, string>> {
  const { russianNetworks, russianWords, english } = await testTextReaders();
  return {
    DATABASE_URL: database.url,
    REPORT_DATABASE_URL: database.url,
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: temporal.namespace,
    HOST: '127.0.0.1',
    METRICS_HOST: '127.0.0.1',
    PORT: String(port),
    METRICS_PORT: String(metricsPort),
    ATTUNE_DATA_DIR: folder,
    BLOB_DIR: join(folder, 'blobs'),
    WORK_DIR: join(folder, 'work'),
    LAKE_DIR: join(folder, 'lake'),
    LAKE_TEMP_DIR: join(folder, 'duckdb'),
    DUCKDB_EXTENSIONS_DIR: await testDuckdbExtensions(),
    FFMPEG_PATH: await testFfmpeg(),
    TESSDATA_DIRS: (await testTessdataDirs()).join(','),
    SENTENCE_ENCODER_DIR: await testSentenceEncoder(),
    NUDITY_MODEL_DIR: await testNudityModel(),
    VOICE_MODEL_DIR: await testVoiceModel(),
    RUSSIAN_NETWORKS_DIR: russianNetworks ?? '',
    RUSSIAN_WORDS_DIR: russianWords ?? '',
    ENGLISH_NETWORK_DIR: english ?? '',
    WORKFLOW_BUNDLE: (await testWorkflowBundle()).codePath,
  };
}

function start(command: readonly string[], env: Record<string, string>): Container {
  const container = runCommand(command, env);
  started.push(container);
  return container;
}

/** Returns the exact health check, with the ports of this run. */
function healthCheckOf({ healthcheck }: Service, port: number, metricsPort: number): string[] {
  return (healthcheck?.test ?? [])
    .slice(1)
    .map((word) => word.replace(':9464', `:${metricsPort}`).replace(':8080', `:${port}`));
}

describe('the processes of docker-compose.yml', () => {
  it.each(longRunning)('%s gets ready, is reported as healthy and stops in order', async (_name, service) => {
    const port = await freePort();
    const metricsPort = await freePort();
    const env = environmentOf(service, await placesOf(port, metricsPort));
    const check = healthCheckOf(service, port, metricsPort);
    expect(await start(check, env).exited).toEqual([1, null]); // before the service runs

    const container = start(service.command ?? [], env);
    await container.line(/"msg":"ready"/);
    expect(await start(check, env).exited).toEqual([0, null]);

    container.process.kill('SIGTERM');
    expect(await container.exited).toEqual([0, null]);
    expect(container.lines.filter((line) => /"level":"(error|fatal)"/.test(line))).toEqual([]);
    expect(container.lines.join('\n')).not.toContain(FILLED['SECRET_KEY']);
  });

  it('answer plain http from a stranger with 403, and do not show their metrics on the public port', async () => {
    const port = await freePort();
    const service = compose.services['api'] ?? {};
    const env = environmentOf(service, { ...(await placesOf(port, await freePort())), TRUSTED_PROXIES: '192.0.2.1' });
    const container = start(service.command ?? [], env);
    await container.line(/"msg":"ready"/);
    const answers = await Promise.all(
      ['/content/api/v1/health', '/metrics'].map((path) =>
        fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'x-forwarded-proto': 'https' } }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([403, 404]);
    container.process.kill('SIGTERM');
    expect(await container.exited).toEqual([0, null]);
  });
});

describe('the one-shot steps', () => {
  const runStep = async (
    name: string,
    more: Record<string, string> = {},
  ): Promise<{ exit: unknown; output: string }> => {
    const service = compose.services[name] ?? {};
    const container = start(service.command ?? [], { ...environmentOf(service, await placesOf(1, 1)), ...more });
    return { exit: await container.exited, output: container.lines.join('\n') };
  };

  it('migrate an empty database, and one that is up to date', async () => {
    await database.pool.query('drop schema public cascade');
    await database.pool.query('create schema public');
    for (const _turn of ['empty', 'up to date'])
      expect(await runStep('migrate')).toEqual({ exit: [0, null], output: 'the database is up to date' });
    const { rows } = await database.pool.query(`select count(*)::int as applied from migrations`);
    expect(rows[0]).toEqual({ applied: expect.any(Number) });
    expect((rows[0] as { applied: number }).applied).toBeGreaterThan(4);
  });

  it('name a database that does not answer, without its password', async () => {
    const { exit, output } = await runStep('migrate', { DATABASE_URL: `postgres://attune:hunter2@127.0.0.1:1/attune` });
    expect(exit).toEqual([1, null]);
    expect(output).toContain('ECONNREFUSED');
    expect(output).not.toContain('hunter2');
  });

  it('create the namespace', async () => {
    const namespace = `compose-${randomBytes(4).toString('hex')}`;
    const { exit, output } = await runStep('temporal-namespace', { TEMPORAL_NAMESPACE: namespace });
    expect([exit, output]).toEqual([[0, null], `the namespace ${namespace} is ready`]);
  });
});
