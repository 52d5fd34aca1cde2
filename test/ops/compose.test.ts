import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { loadConfig, loadKeylessConfig } from '../../config.ts';
import { ASKED_CAPABILITIES } from '../../domain/analysis/capabilities.ts';
import { CLOSE_DEADLINE_MS } from '../../platform/process/lifecycle.ts';
import { SERVICES } from '../../tools/scripts/dev/services/services.ts';
import { DYNAMIC_CONFIG } from '../../tools/scripts/engines/servers/temporal.ts';
import { FILLED, MissingVariable, ownServices, readCompose, readText, ROOT, variablesOf } from './support/compose.ts';
import { settingsRead } from './support/settings.ts';

const compose = readCompose(FILLED);
const own = ownServices(compose);
const names = Object.keys(compose.services);
const LONG_RUNNING = [
  'api',
  'relay',
  'worker-workflow',
  'worker-media',
  'worker-ai',
  'worker-data',
  'worker-webhook',
  'worker-ingest',
  'selection',
  'worker-analytics',
];
const SECRETS = [
  'SECRET_KEY',
  'POSTGRES_PASSWORD',
  'ATTUNE_DB_PASSWORD',
  'ATTUNE_REPORTS_PASSWORD',
  'TEMPORAL_DB_PASSWORD',
];

/** Returns whether a setting is one that each capability has, such as `SPEECH_MODEL`. */
const isOfCapability = (setting: string): boolean =>
  ASKED_CAPABILITIES.some((capability) => setting.startsWith(`${capability.toUpperCase()}_`));

describe('docker-compose.yml', () => {
  it('follows the schema of the Compose Specification', () => {
    const schema = JSON.parse(readText('test/ops/fixtures/compose-spec.json')) as object;
    const validate = new Ajv2020({ strict: false, allErrors: true }).compile(schema);
    validate(compose);
    expect(validate.errors).toBeNull();
    validate({ services: { api: { comand: 'x' } } });
    expect(validate.errors).not.toBeNull();
  });

  it('runs every process of the product', () => {
    expect(own.map(([name]) => name).sort()).toEqual([...LONG_RUNNING, 'migrate', 'temporal-namespace'].sort());
  });

  // Compose builds services concurrently, and two builds of one tag collide.
  it('builds the image in one service, which runs first', () => {
    expect(own.filter(([, { build }]) => build !== undefined).map(([name]) => name)).toEqual(['migrate']);
  });

  it.each(own)('%s starts a file that exists', (_name, { command = [] }) => {
    expect(command[0]).toBe('node');
    expect(existsSync(join(ROOT, command[1] ?? ''))).toBe(true);
  });

  it('mounts files that exist, and scripts that may be executed', () => {
    const files = names
      .flatMap((name) => compose.services[name]?.volumes ?? [])
      .filter((volume) => volume.startsWith('./'))
      .map((volume) => volume.split(':')[0] ?? '');
    expect(files).toContain('./ops/postgres/10-databases.sh');
    for (const file of files) expect(existsSync(join(ROOT, file))).toBe(true);
    for (const file of files.filter((path) => path.endsWith('.sh')))
      expect(statSync(join(ROOT, file)).mode & 0o111).not.toBe(0);
  });

  it('waits only for services that exist, and for health only where it is checked', () => {
    for (const [name, { depends_on: needs = {} }] of Object.entries(compose.services)) {
      for (const [needed, { condition }] of Object.entries(needs)) {
        expect(names).toContain(needed);
        if (condition === 'service_healthy')
          expect([name, needed, compose.services[needed]?.healthcheck]).not.toContain(undefined);
      }
    }
  });

  // A niceness applies only within a container.
  it('gives background services fewer shares of the cores than those that answer requests, and Temporal more', () => {
    const shares = Object.fromEntries(names.map((name) => [name, compose.services[name]?.cpu_shares ?? 1024]));
    const fewer = names.filter((name) => (shares[name] ?? 0) < 1024);
    expect(fewer.sort()).toEqual(['speech', 'worker-ai', 'worker-analytics', 'worker-data', 'worker-media']);
    expect(Math.min(...Object.values(shares))).toBe(shares['worker-analytics']);
    const more = names.filter((name) => (shares[name] ?? 0) > 1024);
    expect(more.sort()).toEqual(['postgres', 'temporal']);
  });

  it('pins every third-party image to a version', () => {
    const images = names
      .map((name) => compose.services[name]?.image ?? '')
      .filter((image) => !image.startsWith('attune:'));
    expect(images.length).toBeGreaterThan(3);
    for (const image of images) expect(image).toMatch(/:\d+\.\d+/);
  });
});

describe('settings of the services', () => {
  const read = settingsRead();

  it.each(own)('%s is given only what config.ts reads, and everything it needs', (_name, { environment = {} }) => {
    expect(Object.keys(environment).filter((setting) => !read.has(setting))).toEqual([]);
    const config = 'SECRET_KEY' in environment ? loadConfig(environment) : loadKeylessConfig(environment);
    expect(config.publicUrl).toBe(FILLED['PUBLIC_URL']);
    expect(config.databaseUrl).toBe(`postgres://attune:${FILLED['ATTUNE_DB_PASSWORD']}@postgres:5432/attune`);
  });

  it('let an operator change every setting, except those that the installation itself decides', () => {
    const given = new Set(own.flatMap(([, { environment = {} }]) => Object.keys(environment)));
    // A bundle, and the weights of its models, must belong to exactly the image's release.
    const readers = ['RUSSIAN_NETWORKS_DIR', 'RUSSIAN_WORDS_DIR', 'ENGLISH_NETWORK_DIR'];
    const models = ['SENTENCE_ENCODER_DIR', 'NUDITY_MODEL_DIR', 'VOICE_MODEL_DIR', ...readers];
    const decidedByTheImage = ['ATTUNE_DATA_DIR', 'WORKFLOW_BUNDLE', ...models];
    const refused = ['PGSSLMODE'];
    const developmentOnly = ['ALLOW_HTTP_MEDIA'];
    // Containers are replaced whole, behind the proxy.
    const withoutContainers = ['API_PROCESSES'];
    // The settings for an external Temporal are in an override file, together with its address.
    const ofAnotherTemporal = [...read].filter((setting) => setting.startsWith('TEMPORAL_') && !given.has(setting));
    expect([...read].filter((setting) => !given.has(setting)).sort()).toEqual(
      [...refused, ...decidedByTheImage, ...developmentOnly, ...withoutContainers, ...ofAnotherTemporal].sort(),
    );
  });

  it('give SECRET_KEY only to services that sign links or read webhook secrets', () => {
    const given = own.filter(([, { environment = {} }]) => 'SECRET_KEY' in environment).map(([name]) => name);
    expect(given.sort()).toEqual(['api', 'worker-analytics', 'worker-webhook']);
    const inDevelopment = SERVICES.filter(({ needsSecretKey }) => needsSecretKey).map(({ name }) => name);
    expect(inDevelopment.sort()).toEqual(['analytics', 'api', 'webhook']);
  });

  it('allow https only, behind a named proxy', () => {
    const api = loadConfig(compose.services['api']?.environment ?? {});
    expect(api.requireHttps).toBe(true);
    expect(api.trustedProxies).toEqual(['127.0.0.1', '172.31.250.1']);
  });

  it('link workflows at the port of the Temporal UI, unless another address is set', () => {
    const linked = (env: Record<string, string>) =>
      loadConfig(readCompose({ ...FILLED, ...env }).services['api']?.environment ?? {}).temporalUiUrl;
    expect(linked({})).toBe('http://127.0.0.1:8233');
    expect(linked({ TEMPORAL_UI_PORT: '9233' })).toBe('http://127.0.0.1:9233');
    expect(linked({ TEMPORAL_UI_PORT: '9233', TEMPORAL_UI_URL: 'https://temporal.example' })).toBe(
      'https://temporal.example',
    );
  });

  it('have no default for a secret, and say how to create a missing one', () => {
    const variables = variablesOf(readText('docker-compose.yml'));
    for (const secret of SECRETS) expect(variables.get(secret)).toBeNull();
    for (const needed of Object.keys(FILLED)) {
      const rest = Object.fromEntries(Object.entries(FILLED).filter(([name]) => name !== needed));
      expect(() => readCompose(rest)).toThrow(MissingVariable);
      expect(() => readCompose(rest)).toThrow(new RegExp(`^${needed} is not set in .env`));
    }
  });

  it('have each variable in .env.example with its actual default', () => {
    const example = new Map(
      [...readText('.env.example').matchAll(/^(# )?([A-Z0-9_]+)=(.*)$/gm)].map(([, hash, name = '', value = '']) => [
        name,
        { isComment: hash !== undefined, value },
      ]),
    );
    const variables = [...variablesOf(readText('docker-compose.yml'))].filter(([name]) => !isOfCapability(name));
    expect([...example.keys()].sort()).toEqual(variables.map(([name]) => name).sort());
    for (const [name, fallback] of variables) {
      expect([name, example.get(name)]).toEqual([
        name,
        fallback === null ? { isComment: false, value: '' } : { isComment: true, value: fallback },
      ]);
    }
  });
});

describe('the exposed parts', () => {
  it('are the API and the page of Temporal, on the loopback address by default', () => {
    const published = names.filter((name) => compose.services[name]?.ports !== undefined);
    expect(published.sort()).toEqual(['api', 'temporal-ui']);
    for (const name of published)
      for (const port of compose.services[name]?.ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:/);
  });

  it('do not include PostgreSQL and Temporal, whose network has no way out', () => {
    expect(compose.networks['inside']?.internal).toBe(true);
    for (const name of ['postgres', 'temporal', 'temporal-schema', 'relay', 'worker-workflow'])
      expect(compose.services[name]?.networks).toEqual(['inside']);
  });

  it("do not include the providers' keys, which only the processes that need them get", () => {
    for (const [name, { environment = {} }] of own) {
      const keys = Object.keys(environment).filter((setting) => setting.endsWith('_API_KEY'));
      expect([name, keys.length > 0]).toEqual([name, ['worker-ai', 'worker-workflow', 'selection'].includes(name)]);
    }
  });
});

describe('speech recognition', () => {
  it('runs only if its profile is chosen, and nothing waits for it', () => {
    const ofProfile = names.filter((name) => compose.services[name]?.profiles !== undefined);
    expect(ofProfile).toEqual(['speech', 'speech-model']);
    for (const name of ofProfile) expect(compose.services[name]?.profiles).toEqual(['speech']);
    for (const [name, { depends_on: needs = {} }] of Object.entries(compose.services))
      if (!ofProfile.includes(name)) expect(Object.keys(needs)).not.toContain('speech');
    expect(compose.services['speech']?.image).toBe(compose.services['speech-model']?.image);
  });

  it('retries the download of its model for ten minutes, whatever the server answers, and logs each failure', () => {
    const { command, restart } = compose.services['speech-model'] ?? {};
    expect(command?.join(' ')).toMatch(/--fail .*--retry 20 --retry-delay 30 --retry-all-errors/);
    // `--silent` would hide the warnings, and a restart policy would repeat all attempts.
    expect(command).not.toContain('--silent');
    expect(restart).toBeUndefined();
  });

  it('is reached with the settings from docs/providers.md', () => {
    const text = readText('docs/providers.md');
    const lines = /```sh\n(COMPOSE_PROFILES=speech\n[^`]+)```/.exec(text)?.[1]?.trim().split('\n') ?? [];
    const env = { ...FILLED, ...Object.fromEntries(lines.map((line) => line.split('=', 2))) };
    const chosen = readCompose(env);
    const { capabilities } = loadKeylessConfig(chosen.services['worker-ai']?.environment ?? {});
    expect(capabilities.speech).toMatchObject({
      kind: 'openai',
      baseUrl: 'http://speech:8000/v1',
      model: 'Systran/faster-whisper-small',
    });
    expect(chosen.services['speech-model']?.command?.at(-1)).toBe(
      'http://speech:8000/v1/models/Systran/faster-whisper-small',
    );
    expect(chosen.services['worker-ai']?.networks).toContain('inside');
  });
});

describe('the workflow worker', () => {
  it('is configured for the same providers as the ai worker, because it runs short built-in steps itself', () => {
    const providerSettings = (name: string) =>
      Object.entries(compose.services[name]?.environment ?? {})
        .filter(([setting]) => setting.startsWith('OPENAI_') || isOfCapability(setting))
        .sort();
    expect(providerSettings('worker-ai').length).toBeGreaterThan(20);
    expect(providerSettings('worker-workflow')).toEqual(providerSettings('worker-ai'));
  });
});

describe('the hardening of the services', () => {
  it.each(own)('%s runs without rights that it does not need', (_name, service) => {
    expect(service.read_only).toBe(true);
    expect(service.cap_drop).toEqual(['ALL']);
    expect(service.logging?.options['max-size']).toBeDefined();
  });

  it.each(names)('%s has a read-only file system, no capability beyond those for its start, and gains none', (name) => {
    const service = compose.services[name];
    expect(service?.read_only).toBe(true);
    expect(service?.cap_drop).toEqual(['ALL']);
    expect(service?.security_opt).toEqual(['no-new-privileges:true']);
    // PostgreSQL's entrypoint starts as root and becomes the user postgres.
    expect(service?.cap_add ?? []).toEqual(
      name === 'postgres' ? ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'SETGID', 'SETUID'] : [],
    );
  });

  it.each(LONG_RUNNING)('%s is checked, limited, restarted and given time to stop', (name) => {
    const service = compose.services[name];
    expect(service?.healthcheck?.test[0]).toBe('CMD');
    expect(service?.deploy?.resources.limits['memory']).toBeDefined();
    expect(service?.restart).toBe('unless-stopped');
    const grace = Number(/^(\d+)s$/.exec(service?.stop_grace_period ?? '')?.[1]);
    const worker = Number(service?.environment?.['WORKER_GRACE_SECONDS'] ?? 8);
    expect(grace).toBeGreaterThan(CLOSE_DEADLINE_MS / 1000 + worker);
    expect(worker).toBe(['worker-media', 'worker-ai'].includes(name) ? 240 : 8);
  });
});

describe('the installation', () => {
  it.each(LONG_RUNNING.filter((name) => name !== 'api'))('can have several of %s', (name) => {
    const service = compose.services[name];
    expect(service?.container_name).toBeUndefined();
    expect(service?.ports).toBeUndefined();
  });

  it('has a port for a second api, which a deploy starts before it stops the first', () => {
    const [, first, last] = /:(\d+)-(\d+):8080$/.exec(compose.services['api']?.ports?.[0] ?? '') ?? [];
    expect(Number(last)).toBeGreaterThan(Number(first));
    expect(compose.services['api']?.container_name).toBeUndefined();
    for (const port of [first, last]) expect(readText('docs/installation.md')).toContain(`server 127.0.0.1:${port}`);
  });

  it('shares the blobs, and gives each worker that needs one a separate work folder', () => {
    expect(compose.volumes).toHaveProperty('blobs');
    expect(compose.services['api']?.volumes).toEqual([
      'blobs:/var/lib/attune/blobs',
      'lake:/var/lib/attune/lake:ro',
      '/var/lib/attune/work',
    ]);
    expect(compose.services['worker-data']?.volumes).toEqual(['blobs:/var/lib/attune/blobs:ro']);
    expect(compose.services['relay']).toMatchObject({
      volumes: ['blobs:/var/lib/attune/blobs'],
      environment: { BLOB_DIR: '/var/lib/attune/blobs' },
    });
    expect(compose.services['worker-media']?.volumes).toEqual(['blobs:/var/lib/attune/blobs', '/var/lib/attune/work']);
    expect(compose.services['worker-ai']?.volumes).toEqual(['blobs:/var/lib/attune/blobs:ro', '/var/lib/attune/work']);
    for (const name of ['api', 'worker-media', 'worker-ai'])
      expect(compose.services[name]?.environment?.['WORK_DIR']).toBe('/var/lib/attune/work');
  });

  it("keeps PostgreSQL's data where its image has stored them since 18", () => {
    expect(compose.services['postgres']?.volumes?.[0]).toBe('postgres:/var/lib/postgresql');
  });

  it('allows the connections of two processes of each kind, and those of Temporal', () => {
    const { command = [] } = compose.services['postgres'] ?? {};
    const allowed = Number(/max_connections=(\d+)/.exec(command.join(' '))?.[1]);
    const pool = loadConfig(compose.services['api']?.environment ?? {}).databasePoolSize;
    const temporal = 4 * (20 + 10); // frontend, history, matching and worker each open both stores
    expect(allowed).toBeGreaterThan(temporal + pool * LONG_RUNNING.length * 2);
  });

  it('sets the Temporal server up like the development stack', () => {
    expect(parse(readText('ops/temporal/dynamicconfig.yaml'))).toEqual(
      Object.fromEntries(Object.entries(DYNAMIC_CONFIG).map(([name, value]) => [name, [{ value }]])),
    );
    expect(DYNAMIC_CONFIG).toMatchObject({ 'matching.enableFairness': true, 'frontend.WorkflowPauseEnabled': true });
    expect(compose.services['temporal']?.environment?.['DYNAMIC_CONFIG_FILE_PATH']).toBe(
      '/etc/temporal/attune/dynamicconfig.yaml',
    );
  });
});
