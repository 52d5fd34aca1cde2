/** TLS, client certificates and API keys with a real Temporal server, behind a proxy that requires them. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '@temporalio/client';
import { pino } from 'pino';
import { ConfigError, loadConfig } from '../../../../config.ts';
import { createRegistry } from '../../../../platform/process/metrics/metrics.ts';
import { startTemporalWorker } from '../../../../platform/process/temporal/temporalWorkers.ts';
import { lazyConnection } from '../../../../platform/process/temporal/temporalConnection.ts';
import { bareEnv } from '../../../support/programs/bareEnv.ts';
import { createTestTemporal, type TestTemporal } from '../../../support/temporal.ts';
import {
  guardTemporal,
  TLS_FILES,
  type GuardedTemporal,
  type GuardOptions,
} from '../../../support/servers/temporalTls.ts';
import { eventually, HANG_MS } from '../../../support/eventually.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const API_KEY = 'an-api-key-of-the-tests';
const logger = pino({ level: 'silent' });

let temporal: TestTemporal;
let guard: GuardedTemporal | undefined;

beforeAll(async () => {
  temporal = await createTestTemporal();
});
afterEach(async () => {
  await guard?.close();
  guard = undefined;
});
afterAll(() => temporal.close());

const BASE = {
  DATABASE_URL: 'postgres://localhost/none',
  SECRET_KEY: 'x'.repeat(32),
  REQUIRE_HTTPS: 'false',
};
const TRUST = {
  TEMPORAL_TLS: 'true',
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: TLS_FILES.ca,
  TEMPORAL_TLS_SERVER_NAME: 'receiver.test',
};
const CERTIFICATE = {
  TEMPORAL_TLS_CLIENT_CERT_PATH: TLS_FILES.client,
  TEMPORAL_TLS_CLIENT_KEY_PATH: TLS_FILES.client,
};

/** Returns the environment of a process behind such a proxy. */
async function guarded(options: GuardOptions, env: Record<string, string>): Promise<Record<string, string>> {
  guard = await guardTemporal(temporal.address, options);
  return { ...BASE, TEMPORAL_ADDRESS: guard.address, TEMPORAL_NAMESPACE: temporal.namespace, ...env };
}

/** @param patienceMs how long a client retries an unanswered call */
async function askAsClient(env: Record<string, string>, patienceMs = HANG_MS): Promise<string> {
  const connection = lazyConnection(loadConfig(env));
  try {
    const client = new Client({ connection, namespace: temporal.namespace });
    await connection.withDeadline(Date.now() + patienceMs, () => client.workflow.count());
    return 'answered';
  } finally {
    await connection.close();
  }
}

async function runAsWorker(env: Record<string, string>): Promise<void> {
  const options = { queue: 'ai' as const, activities: { nothing: () => Promise.resolve() }, concurrency: 1 };
  const registry = createRegistry('test');
  const worker = await startTemporalWorker(loadConfig(env), logger, { ...options, registry, connectTries: 1 });
  await worker.close();
  await worker.ended;
}

async function setUp(env: Record<string, string>, ...args: string[]): Promise<string> {
  const run = promisify(execFile)(process.execPath, [join(ROOT, 'tools/scripts/setupTemporal.ts'), ...args], {
    env: { ...bareEnv(), ...env },
  });
  return run.then(
    ({ stdout }) => stdout.trim(),
    (error: { stderr: string }) => error.stderr.trim(),
  );
}

describe.each([
  ['TLS', {}, TRUST],
  ['mutual TLS', { wantsClientCertificate: true }, { ...TRUST, ...CERTIFICATE }],
  ['an API key over TLS', { apiKey: API_KEY }, { ...TRUST, TEMPORAL_API_KEY: API_KEY }],
])('a Temporal behind %s', (_what, options: GuardOptions, settings: Record<string, string>) => {
  it('is reached by clients, workers and the set-up', async () => {
    const env = await guarded(options, settings);
    expect(await askAsClient(env)).toBe('answered');
    await runAsWorker(env);
    const namespace = `guarded-${randomBytes(4).toString('hex')}`;
    const own = { ...env, TEMPORAL_NAMESPACE: namespace };
    expect(await setUp(own)).toBe(`the namespace ${namespace} is ready`);
    expect(await setUp(own, '--verify')).toBe(`the namespace ${namespace} is ready`);
    expect([...(guard?.authorizations ?? [])]).toEqual([options.apiKey && `Bearer ${options.apiKey}`]);
  });

  it('is not reached by a client or worker that lacks the settings for it', async () => {
    const env = await guarded(options, options.apiKey || options.wantsClientCertificate ? TRUST : {});
    await expect(askAsClient(env, 2_000)).rejects.toHaveProperty('message');
    await expect(runAsWorker(env)).rejects.toHaveProperty('message');
  });
});

it('a server whose certificate does not name it is refused', async () => {
  const env = await guarded({}, { ...TRUST, TEMPORAL_TLS_SERVER_NAME: 'temporal.elsewhere' });
  await expect(askAsClient(env, 2_000)).rejects.toHaveProperty('message');
  await expect(askAsClient({ ...env, TEMPORAL_TLS_SERVER_NAME: 'receiver.test' })).resolves.toBe('answered');
});

describe('setupTemporal --verify', () => {
  const env = () => ({ ...BASE, TEMPORAL_ADDRESS: temporal.address, TEMPORAL_NAMESPACE: temporal.namespace });

  it('changes nothing and names missing items', async () => {
    const nowhere = { ...env(), TEMPORAL_NAMESPACE: 'nowhere' };
    expect(await setUp(nowhere, '--verify')).toBe('there is no namespace nowhere');
    expect(await setUp(nowhere, '--verify')).toBe('there is no namespace nowhere');
  });

  it('names missing search attributes with their types', async () => {
    const namespace = `bare-${randomBytes(4).toString('hex')}`;
    await setUp({ ...env(), TEMPORAL_NAMESPACE: namespace });
    const connection = temporal.client.connection;
    await connection.operatorService.removeSearchAttributes({
      namespace,
      searchAttributes: ['AttuneWebhook', 'AttuneStep'],
    });
    const ask = () => setUp({ ...env(), TEMPORAL_NAMESPACE: namespace }, '--verify');
    const wanted = `the namespace ${namespace} lacks search attributes: AttuneWebhook (Keyword), AttuneStep (KeywordList)`;
    // The server refreshes its search attributes within seconds.
    expect(await eventually(async () => (await ask()) === wanted, wanted)).toBe(true);
  });
});

describe('the settings of Temporal', () => {
  const faultsOf = (env: Record<string, string>): readonly string[] => {
    try {
      loadConfig({ ...BASE, ...env });
      return [];
    } catch (error) {
      if (error instanceof ConfigError) return error.faults;
      throw error;
    }
  };

  it('are the defaults if no variables or only empty ones are given', () => {
    const empty = { TEMPORAL_API_KEY: '', TEMPORAL_TLS: ' ', TEMPORAL_TLS_CLIENT_CERT_PATH: '' };
    for (const env of [{}, empty])
      expect(loadConfig({ ...BASE, ...env })).toMatchObject({
        temporalAddress: '127.0.0.1:7233',
        temporalNamespace: 'default',
        temporalAccess: {},
      });
  });

  it('are refused if they are incomplete, malformed or name a missing file, and no fault repeats a key', () => {
    expect(faultsOf({ TEMPORAL_TLS_CLIENT_CERT_PATH: TLS_FILES.client })).toEqual([
      'TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH (or …_DATA) must be set together or not at all',
    ]);
    expect(faultsOf({ TEMPORAL_TLS: 'yes' })).toEqual(['TEMPORAL_TLS="yes" is neither true nor false']);
    const [fault = '', ...more] = faultsOf({
      TEMPORAL_TLS_SERVER_CA_CERT_PATH: '/no/such/ca.pem',
      TEMPORAL_API_KEY: API_KEY,
    });
    expect([fault.includes('/no/such/ca.pem'), fault.includes(API_KEY), more]).toEqual([true, false, []]);
  });
});
