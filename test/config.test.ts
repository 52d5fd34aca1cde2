import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { ConfigError, loadConfig, type Env } from '../config.ts';

const GOOD: Env = {
  DATABASE_URL: 'postgres://attune:secret@localhost/attune',
  SECRET_KEY: 'x'.repeat(44),
  PUBLIC_URL: 'https://attune.example.com',
};

function faultsOf(env: Env): readonly string[] {
  try {
    loadConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}

describe('a setting in a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'attune-config-'));
  const path = join(folder, 'secret');
  writeFileSync(path, `${'y'.repeat(44)}\n`);
  afterAll(() => rmSync(folder, { recursive: true }));

  it('is given by the name of the setting with _FILE after it, and its final line break is ignored', () => {
    const { SECRET_KEY: _given, ...rest } = GOOD;
    expect(loadConfig({ ...rest, SECRET_KEY_FILE: path })).toEqual(loadConfig({ ...rest, SECRET_KEY: 'y'.repeat(44) }));
    const database = join(folder, 'database');
    writeFileSync(database, 'postgres://attune:other@localhost/attune');
    const { DATABASE_URL: _url, ...without } = GOOD;
    expect(loadConfig({ ...without, DATABASE_URL_FILE: database }).databaseUrl).toContain('other');
  });

  it('is overridden by the setting itself', () => {
    expect(loadConfig({ ...GOOD, SECRET_KEY_FILE: path })).toEqual(loadConfig(GOOD));
  });

  it('is a fault if the file cannot be read', () => {
    const { SECRET_KEY: _given, ...rest } = GOOD;
    expect(faultsOf({ ...rest, SECRET_KEY_FILE: '/not/there' })[0]).toBe(
      'SECRET_KEY_FILE="/not/there" cannot be read (ENOENT)',
    );
  });
});

describe('loadConfig', () => {
  it('tells report engines whom to trust, how to reach a bucket, and where its keys are if none are set', () => {
    const trust = { NODE_EXTRA_CA_CERTS: '/etc/ca.pem' };
    const way = { HTTPS_PROXY: 'http://proxy:3128', no_proxy: 'db' };
    const role = { AWS_ROLE_ARN: 'arn:aws:iam::1:role/attune' };
    const environmentWith = (more: Env): unknown =>
      loadConfig({ ...GOOD, ...trust, ...way, ...role, HOME: '/root', ...more }).reports.lake.environment;
    const bucket = { LAKE_STORE: 's3', S3_BUCKET: 'attune' };
    expect(environmentWith(bucket)).toEqual({ ...trust, ...way, ...role });
    const keys = { S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b' };
    expect(environmentWith({ ...bucket, ...keys })).toEqual({ ...trust, ...way });
    expect(environmentWith({})).toEqual(trust);
  });

  it('refuses PGSSLMODE, which node-postgres and DuckDB understand differently', () => {
    expect(faultsOf({ ...GOOD, PGSSLMODE: 'require' })).toEqual([
      'PGSSLMODE is not read: remove it, and append ?sslmode=verify-full to DATABASE_URL for TLS',
    ]);
  });

  it('names every fault at once, each with its setting', () => {
    const faults = faultsOf({
      PORT: 'eighty',
      REQUIRE_HTTPS: 'yes',
      ALLOW_NETWORKS: '10.0.0.0',
      DENY_NETWORKS: 'internal',
      TRUSTED_PROXIES: 'proxy.local',
      LOG_LEVEL: 'loud',
      SPEECH_PROVIDER: 'openai',
      VISION_BASE_URL: 'ftp://models',
      SECRET_KEY: 'short',
      IP_SIMULTANEOUS: '0',
    });
    for (const setting of [
      'PORT',
      'REQUIRE_HTTPS',
      'ALLOW_NETWORKS',
      'DENY_NETWORKS',
      'TRUSTED_PROXIES',
      'LOG_LEVEL',
      'SPEECH_PROVIDER',
      'VISION_BASE_URL',
      'SECRET_KEY',
      'IP_SIMULTANEOUS',
      'DATABASE_URL',
      'PUBLIC_URL',
    ]) {
      expect(faults.filter((fault) => fault.startsWith(setting))).toHaveLength(1);
    }
    expect(faults).toHaveLength(12);
  });

  it.each([
    ['PUBLIC_URL', 'http://attune.example.com'],
    ['CONTENT_HOST', 'https://content.example.com'],
    ['CONTENT_HOST', 'content.example.com:8443'],
    ['CONTENT_HOST', 'content.example.com/api'],
    ['ANALYTICS_HOST', 'аналитика.рф'],
    ['ANALYTICS_HOST', 'a.example.com, b.example.com'],
  ])('refuses %s=%s, which no https request could match', (setting, value) => {
    expect(faultsOf({ ...GOOD, [setting]: value })).toEqual([expect.stringContaining(`${setting}="${value}"`)]);
  });

  it('accepts a host in upper or lower case or with a final dot, and http where https is not required', () => {
    expect(faultsOf({ ...GOOD, CONTENT_HOST: 'Content.example.com', ANALYTICS_HOST: '127.0.0.1' })).toEqual([]);
    expect(loadConfig({ ...GOOD, CONTENT_HOST: 'content.example.com.' }).contentHost).toBe('content.example.com');
    expect(faultsOf({ ...GOOD, PUBLIC_URL: 'http://attune.example.com', REQUIRE_HTTPS: 'false' })).toEqual([]);
  });

  // proves: quotas/hits-retention
  it('keeps conversions and orders for 37 months, or as many as are set', () => {
    expect(loadConfig(GOOD).factRetentionMonths).toBe(37);
    expect(loadConfig({ ...GOOD, FACT_RETENTION_MONTHS: '60' }).factRetentionMonths).toBe(60);
  });

  it('repeats no secret in a fault', () => {
    expect(faultsOf({ ...GOOD, SECRET_KEY: 'hunter2' }).join()).not.toContain('hunter2');
    expect(faultsOf({ ...GOOD, DATABASE_URL: 'postgres://attune:hunter2/@db/attune' }).join()).not.toContain('hunter2');
  });

  it.each([
    ['DATABASE_URL', 'postgres://attune:pass/word@localhost:5432/attune'],
    ['DATABASE_URL', 'postgres://attune:12/3@localhost:5432/attune'],
    ['DATABASE_URL', 'localhost:5432/attune'],
    ['REPORT_DATABASE_URL', 'mysql://attune_reports@localhost/attune'],
    ['SELECTION_URLS', 'selection:8090'],
    ['SELECTION_URLS', 'http://selection:8090,http://selection:8091/rank'],
  ])('names %s=%s, with which the processes could not start', (setting, value) => {
    expect(faultsOf({ ...GOOD, [setting]: value })).toEqual([expect.stringMatching(new RegExp(`^${setting} is not `))]);
  });

  it('accepts the addresses that PostgreSQL and the selection process have', () => {
    for (const url of [
      'postgresql://attune@[::1]:5432/attune',
      'postgres://a:p%40@db.internal/attune?sslmode=verify-full',
    ])
      expect(loadConfig({ ...GOOD, DATABASE_URL: url, REPORT_DATABASE_URL: url }).databaseUrl).toBe(url);
    const urls = ['http://selection:8090', 'https://selection.internal/'];
    expect(loadConfig({ ...GOOD, SELECTION_URLS: urls.join(', ') }).selection.urls).toEqual(urls);
  });

  it("sends mail through the configured server, from the installation's address by default", () => {
    expect(loadConfig(GOOD).mail).toBeNull();
    expect(loadConfig({ ...GOOD, SMTP_URL: 'smtp://localhost:2525' }).mail).toEqual({
      url: 'smtp://localhost:2525',
      from: 'Attune <attune@attune.example.com>',
    });
    expect(loadConfig({ ...GOOD, SMTP_URL: 'smtps://mail:465', MAIL_FROM: 'x@y.z' }).mail?.from).toBe('x@y.z');
    for (const url of ['http://mail', 'mail.example.com', 'smtp:hunter2']) {
      expect(faultsOf({ ...GOOD, SMTP_URL: url })).toEqual([expect.stringMatching(/^SMTP_URL /)]);
    }
    expect(faultsOf({ ...GOOD, SMTP_URL: 'ftp://me:hunter2@mail' }).join()).not.toContain('hunter2');
  });

  it('uses the common key for the common address only', () => {
    const { capabilities } = loadConfig({
      ...GOOD,
      OPENAI_API_KEY: 'sk-common',
      SPEECH_BASE_URL: 'http://speech.internal/v1',
    });
    expect(capabilities.vision).toMatchObject({
      kind: 'openai',
      apiKey: 'sk-common',
      baseUrl: 'https://api.openai.com/v1',
    });
    expect(capabilities.speech).toMatchObject({ kind: 'openai', apiKey: '', baseUrl: 'http://speech.internal/v1' });
  });

  it('uses the built-in provider by default', () => {
    const { capabilities } = loadConfig({ ...GOOD, VISION_PROVIDER: 'off' });
    expect(capabilities).toMatchObject({
      speech: { kind: 'builtin' },
      vision: { kind: 'off' },
      embedding: { kind: 'builtin' },
    });
  });

  it('refuses a key for vectors of pictures without a server, which has no default', () => {
    expect(faultsOf({ ...GOOD, PICTURES_API_KEY: 'jina_1' })).toEqual(['PICTURES_API_KEY needs PICTURES_BASE_URL']);
  });

  // proves: decisions-hosting/https-default
  it('requires https, and listens on this machine only, unless it is told otherwise', () => {
    expect(loadConfig(GOOD)).toMatchObject({ requireHttps: true, host: '127.0.0.1', port: 8080 });
    expect(loadConfig({ ...GOOD, REQUIRE_HTTPS: 'false' }).requireHttps).toBe(false);
  });

  it('requires a public address where https is required, and guesses one in development', () => {
    expect(loadConfig({ ...GOOD, PUBLIC_URL: undefined, REQUIRE_HTTPS: 'false' }).publicUrl).toBe(
      'http://127.0.0.1:8080',
    );
    expect(faultsOf({ ...GOOD, PUBLIC_URL: undefined })).toHaveLength(1);
  });

  it('hides groups of fewer than five people by default, accepts no setting below three, and hides none in development', () => {
    const least = (env: Record<string, string>) => loadConfig({ ...GOOD, ...env }).reports.audienceMinPeople;
    expect([least({}), least({ AUDIENCE_MIN_PEOPLE: '3' }), least({ REQUIRE_HTTPS: 'false' })]).toEqual([5, 3, 1]);
    for (const few of ['0', '1', '2']) expect(() => least({ AUDIENCE_MIN_PEOPLE: few })).toThrow('AUDIENCE_MIN_PEOPLE');
  });

  it('gives report engines their own memory and a separate folder, and reads fractions of a second', () => {
    const { reports, lake } = loadConfig({
      ...GOOD,
      REPORT_SECONDS: '0.5',
      REPORT_MEMORY_MB: '256',
      LAKE_MEMORY_MB: '2048',
      WORK_DIR: '/work',
    });
    expect(reports).toMatchObject({
      engines: 3,
      seconds: 0.5,
      sampleSeconds: 30,
      audienceMinPeople: 5,
      lake: { memoryMb: 256, threads: 2, tempDir: '/work/reports', tempMb: 2048, data: lake.data },
    });
    expect(
      faultsOf({ ...GOOD, REPORT_SECONDS: '0', REPORT_SAMPLE_SECONDS: 'long', REPORT_ENGINES: '0.5' }),
    ).toHaveLength(3);
    // The keys and files of the lake with which a report begins last no longer than that.
    expect(faultsOf({ ...GOOD, REPORT_SECONDS: '301', REPORT_SAMPLE_SECONDS: '301' })).toHaveLength(2);
    expect(loadConfig({ ...GOOD, REPORT_SECONDS: '300' }).reports.seconds).toBe(300);
  });

  it('notices at start that the bundle of the workflows is missing', () => {
    expect(loadConfig(GOOD).workflowBundle).toBeNull();
    expect(loadConfig({ ...GOOD, WORKFLOW_BUNDLE: import.meta.filename }).workflowBundle).toBe(import.meta.filename);
    expect(faultsOf({ ...GOOD, WORKFLOW_BUNDLE: '/no/such.js' })).toEqual([
      'WORKFLOW_BUNDLE="/no/such.js" is not a file',
    ]);
  });

  it('notices at start that a file of the sentence encoder is missing', () => {
    const folder = mkdtempSync(join(tmpdir(), 'attune-config-'));
    expect(loadConfig(GOOD).sentenceEncoderDir).toBeNull();
    writeFileSync(join(folder, 'sp.model'), '');
    const faults = (path: string): readonly string[] => faultsOf({ ...GOOD, SENTENCE_ENCODER_DIR: path });
    expect(faults(folder)).toEqual([`SENTENCE_ENCODER_DIR="${folder}" does not contain the file weights.npz`]);
    expect(faults('/no/such')).toEqual(['SENTENCE_ENCODER_DIR="/no/such" does not contain the file sp.model']);
    expect(faults(import.meta.filename)).toEqual([
      `SENTENCE_ENCODER_DIR="${import.meta.filename}" does not contain the file sp.model`,
    ]);
    writeFileSync(join(folder, 'weights.npz'), '');
    expect(loadConfig({ ...GOOD, SENTENCE_ENCODER_DIR: folder }).sentenceEncoderDir).toBe(folder);
    rmSync(folder, { recursive: true });
  });

  it.each([
    ['', 600],
    ['60', 60],
  ])('sends speech in pieces of SPEECH_PIECE_SECONDS ("%s")', (text, pieceSeconds) => {
    const { speech } = loadConfig({ ...GOOD, OPENAI_API_KEY: 'sk', SPEECH_PIECE_SECONDS: text }).capabilities;
    expect(speech).toMatchObject({ limits: { pieceSeconds } });
    expect(faultsOf({ ...GOOD, OPENAI_API_KEY: 'sk', SPEECH_PIECE_SECONDS: '601' })).toHaveLength(1);
  });

  it.each([
    ['', 0],
    ['8192', 8_192],
  ])('leaves the context of vision and moderation unknown unless it is configured ("%s")', (text, contextTokens) => {
    const given = { VISION_CONTEXT_TOKENS: text, MODERATION_CONTEXT_TOKENS: text, MODERATION_BATCH_SIZE: '4' };
    const { vision, moderation } = loadConfig({ ...GOOD, OPENAI_API_KEY: 'sk', ...given }).capabilities;
    expect(vision).toMatchObject({ limits: { contextTokens } });
    expect(moderation).toMatchObject({ limits: { contextTokens, batchSize: 4 } });
    expect(faultsOf({ ...GOOD, OPENAI_API_KEY: 'sk', VISION_CONTEXT_TOKENS: '100' })).toHaveLength(1);
  });

  it('accepts the properties of an embedding model', () => {
    const none = { queryPrefix: '', passagePrefix: '', similarityThreshold: null };
    expect(loadConfig(GOOD).embeddingTraits).toEqual(none);
    expect(
      loadConfig({ ...GOOD, EMBEDDING_QUERY_PREFIX: 'query:', EMBEDDING_SIMILARITY_THRESHOLD: '0.82' }).embeddingTraits,
    ).toEqual({ ...none, queryPrefix: 'query:', similarityThreshold: 0.82 });
    expect(faultsOf({ ...GOOD, EMBEDDING_SIMILARITY_THRESHOLD: '82%' })).toHaveLength(1);
  });

  it('accepts the prices of models, and describes faults in them', () => {
    const pricesOf = (text: string) => loadConfig({ ...GOOD, PROVIDER_PRICES: text }).prices;
    const prices = { currency: 'EUR', models: { 'gpt-4o-mini': { input: 0.15 }, moderator: { call: 0 } } };
    expect(loadConfig(GOOD).prices).toBeNull();
    expect(pricesOf(JSON.stringify(prices))).toEqual(prices);
    for (const wrong of [
      'free',
      '[]',
      '{"currency": "euro", "models": {}}',
      '{"currency": "EUR"}',
      '{"currency": "EUR", "models": {}, "vat": 20}',
      '{"currency": "EUR", "models": {"a": {"inputs": 1}}}',
      '{"currency": "EUR", "models": {"a": {"input": -1}}}',
      '{"currency": "EUR", "models": {"a": {}}}',
    ])
      expect(() => pricesOf(wrong)).toThrow(/PROVIDER_PRICES/);
  });

  it('notices at start that a file of the ingest is missing', () => {
    const here = import.meta.filename;
    expect(loadConfig(GOOD).enrich).toEqual({ cityDatabase: null, dataCentres: null });
    expect(loadConfig({ ...GOOD, GEO_CITY_DATABASE: here, DATA_CENTRE_NETWORKS: here }).enrich).toEqual({
      cityDatabase: here,
      dataCentres: here,
    });
    expect(
      faultsOf({ ...GOOD, GEO_CITY_DATABASE: '/no/such.mmdb', DATA_CENTRE_NETWORKS: import.meta.dirname }),
    ).toEqual([
      'GEO_CITY_DATABASE="/no/such.mmdb" is not a file',
      `DATA_CENTRE_NETWORKS="${import.meta.dirname}" is not a file`,
    ]);
  });
});
