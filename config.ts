/**
 * The environment, read once at start. All faults are reported together, each with the setting's name and what to write
 * instead. Nothing else in the product reads `process.env`: platform/process/lifecycle.ts hands it over.
 */
import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import type { BlobSettings, S3Settings } from './platform/blobs/blobSettings.ts';
import { readEngineEnvironment, type ReportSettings } from './reports/engines/engineSettings.ts';
import type { LakeSettings } from './reports/lake/lakeSettings.ts';
import type { AllowList } from './platform/outgoing/forbiddenAddresses.ts';
import type { MailSettings } from './platform/outgoing/mail.ts';
import { readSelectionSettings, type SelectionSettings } from './output/selectionSettings.ts';
import { RERUN_ITEMS_PER_SECOND } from './domain/items/reruns.ts';
import { MAX_REPORT_SECONDS } from './domain/reports/reportTime.ts';
import { ConfigError, SettingsReader, type Env } from './platform/process/settingsReader.ts';
import { readTemporalSettings, type TemporalAccess } from './platform/process/temporal/temporalAccess.ts';
import {
  readAnalysisSettings,
  type AnalysisSettings,
  type CapabilityConfig,
} from './providers/setup/providerSettings.ts';

export { ConfigError };
export type { CapabilityConfig, Env };

export interface Config extends AnalysisSettings {
  dataDir: string;
  host: string;
  port: number;
  /** The number of processes that api/cluster.ts runs. */
  apiProcesses: number;
  /** Address of the API's Prometheus metrics; the workers have ports of their own. Port 0 turns metrics off. */
  metricsHost: string;
  metricsPort: number;
  /** Public origin of the installation, for links and the webhook User-Agent, without a trailing slash. */
  publicUrl: string;
  contentHost: string | null;
  analyticsHost: string | null;
  requireHttps: boolean;
  /** Addresses and networks of the peers whose X-Forwarded-* headers are trusted. */
  trustedProxies: string[];
  databaseUrl: string;
  databasePoolSize: number;
  temporalAddress: string;
  temporalNamespace: string;
  /** Origin of Temporal's web page, as administrators reach it, without a trailing slash; null: only ids are shown. */
  temporalUiUrl: string | null;
  /** How long current work may continue after a stop was requested; then it is left to a retry. */
  workerGraceMs: number;
  /** TLS, a client certificate, an API key. */
  temporalAccess: TemporalAccess;
  /**
   * File of the workflows' code (platform/process/temporal/workflowBundle.ts); null: the worker bundles it when it
   * starts.
   */
  workflowBundle: string | null;
  /**
   * Master key from which every other key is derived (signed links, encryption of webhook secrets): see
   * domain/accounts/secretKeys.ts.
   */
  secretKey: Buffer;
  /** CIDR list of addresses that are allowed for outgoing requests; empty in production. */
  allowNetworks: AllowList;
  /** CIDR list of addresses that outgoing requests never reach, even when they are allowed. */
  denyNetworks: AllowList;
  /** Media may be fetched over plain http from an allowed network (development samples, tests). */
  allowHttpMedia: boolean;
  blobs: BlobSettings;
  lake: LakeSettings;
  /** Settings of each process that makes reports. */
  reports: ReportSettings;
  workDir: string;
  /** Maximum size of the file of one import. */
  importMaxBytes: number;
  ffmpegPath: string;
  /** Where the buckets of the rate limits are stored: in each API process, or shared by all of them. */
  rateLimits: 'memory' | 'postgres';
  ipRequestsPerMinute: number;
  ipSimultaneous: number;
  /** Number of days for which the audit trail of the cabinet is kept. */
  auditDays: number;
  /** Rate limit of one address at /collect. */
  collectIpRequestsPerMinute: number;
  reconcileIntervalMs: number;
  /** Number of items that one rerun queues for new analysis per second. */
  rerunItemsPerSecond: number;
  /** Number of days for which the ids of impressions are remembered, so that a repeat is not counted again. */
  impressionIdDays: number;
  /**
   * Maximum age of the tag's events; older ones are dropped. Repeats are recognised for the same time, but for at least
   * 24 hours.
   */
  lateEventHours: number;
  /**
   * Number of months for which conversions, orders and refunds are kept: for reports of two years, and to tell which
   * order is a person's first.
   */
  factRetentionMonths: number;
  /** The operator's own files for the ingest: an .mmdb with regions and cities, a list of networks. */
  enrich: { cityDatabase: string | null; dataCentres: string | null };
  /** Number of sessions of one ingest process, and the interval of commits to the lake. */
  ingest: { loops: number; lakeCommitMs: number };
  /** Where recommendations and searches are ranked (output/). */
  selection: SelectionSettings;
  /** Mail to users of the cabinet; null: no mail is sent. */
  mail: MailSettings | null;
  /** Number of concurrent activities in one worker process, by queue. */
  concurrency: { media: number; ai: number; data: number; webhook: number };
  logLevel: string;
}

/** The configuration of a process that neither signs nor decrypts: SECRET_KEY stays out of its environment. */
export type KeylessConfig = Omit<Config, 'secretKey'>;

/** Links and the webhooks' User-Agent contain it; only a development stack can guess it. */
function readPublicUrl(reader: SettingsReader, requireHttps: boolean, guess: string): string {
  if (!requireHttps) return reader.url('PUBLIC_URL', guess);
  const given = reader.required('PUBLIC_URL', 'https://attune.example.com');
  if (given === '') return guess;
  const url = reader.url('PUBLIC_URL', given);
  // A proxy would redirect such links, after the key in them has been sent unencrypted.
  if (/^http:/i.test(url)) reader.faults.push(`PUBLIC_URL="${url}" is not https, which REQUIRE_HTTPS requires`);
  return url;
}

function readBlobs(reader: SettingsReader, dataDir: string, s3: S3Settings): BlobSettings {
  const kind = reader.oneOf('BLOB_STORE', ['local', 's3'], 'local');
  const dir = resolve(reader.text('BLOB_DIR', join(dataDir, 'blobs')));
  if (kind === 'local') return { kind, dir };
  if (s3.bucket === '') reader.faults.push('S3_BUCKET is not set: BLOB_STORE=s3 needs the name of a bucket');
  return { kind, ...s3 };
}

function readLake(reader: SettingsReader, dataDir: string, databaseUrl: string, s3: S3Settings): LakeSettings {
  const kind = reader.oneOf('LAKE_STORE', ['local', 's3'], 'local');
  const dir = resolve(reader.text('LAKE_DIR', join(dataDir, 'lake')));
  const prefix = reader.text('LAKE_S3_PREFIX', 'lake').replaceAll(/^\/+|\/+$/g, '');
  if (kind === 's3' && s3.bucket === '')
    reader.faults.push('S3_BUCKET is not set: LAKE_STORE=s3 needs the name of a bucket');
  return {
    databaseUrl,
    data: kind === 'local' ? { kind, dir } : { kind, prefix, ...s3 },
    extensionsDir: reader.text('DUCKDB_EXTENSIONS_DIR', '') || null,
    tempDir: resolve(reader.text('LAKE_TEMP_DIR', join(dataDir, 'work', 'duckdb'))),
    memoryMb: reader.integer('LAKE_MEMORY_MB', 1024, 128, 1_000_000),
    threads: reader.integer('LAKE_THREADS', 2, 1, 256),
  };
}

/** Engines have memory and threads of their own, and a folder that no other process sweeps. */
function readReports(
  reader: SettingsReader,
  lake: LakeSettings,
  workDir: string,
  lateEventHours: number,
  requireHttps: boolean,
): ReportSettings {
  const memoryMb = reader.integer('REPORT_MEMORY_MB', 512, 64, 1_000_000);
  const databaseUrl = reader.text('REPORT_DATABASE_URL', '');
  checkDatabaseUrl(reader, 'REPORT_DATABASE_URL', databaseUrl);
  return {
    lake: {
      ...lake,
      ...(databaseUrl !== '' && { databaseUrl, readOnly: true }),
      memoryMb,
      threads: reader.integer('REPORT_THREADS', 2, 1, 256),
      tempDir: join(workDir, 'reports'),
      tempMb: memoryMb * REPORT_TEMP_FACTOR,
      environment: readEngineEnvironment(reader, lake),
    },
    engines: reader.integer('REPORT_ENGINES', 3, 1, 64),
    seconds: reader.number('REPORT_SECONDS', 30, 0.001, MAX_REPORT_SECONDS),
    sampleSeconds: reader.number('REPORT_SAMPLE_SECONDS', 30, 0.001, MAX_REPORT_SECONDS),
    lateEventHours,
    audienceMinPeople: readLeastPeople(reader, requireHttps),
  };
}

/**
 * A group of one is that person, and in a group of two each knows the other, so a public installation shows groups of
 * at least three. In development, with only a handful of visitors, every group may be shown.
 */
function readLeastPeople(reader: SettingsReader, isPublic: boolean): number {
  return reader.integer('AUDIENCE_MIN_PEOPLE', isPublic ? 5 : 1, isPublic ? 3 : 1, 1_000_000);
}

/** Size of a report's temporary files on disk, as a multiple of its memory. */
const REPORT_TEMP_FACTOR = 8;

function readS3(reader: SettingsReader): S3Settings {
  const accessKeyId = reader.text('S3_ACCESS_KEY_ID', '');
  const secretAccessKey = reader.text('S3_SECRET_ACCESS_KEY', '');
  if ((accessKeyId === '') !== (secretAccessKey === ''))
    reader.faults.push('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be set together or not at all');
  return {
    bucket: reader.text('S3_BUCKET', ''),
    region: reader.text('S3_REGION', 'us-east-1'),
    endpoint: reader.url('S3_ENDPOINT', '') || null,
    credentials: accessKeyId === '' ? null : { accessKeyId, secretAccessKey },
    forcePathStyle: reader.boolean('S3_FORCE_PATH_STYLE', false),
  };
}

function readMail(reader: SettingsReader, publicUrl: string): MailSettings | null {
  const url = reader.text('SMTP_URL', '');
  const host = URL.canParse(publicUrl) ? new URL(publicUrl).hostname : 'localhost';
  const from = reader.text('MAIL_FROM', `Attune <attune@${host}>`);
  if (url === '') return null;
  // The URL may contain a password, so the fault does not quote it.
  const isServer = URL.canParse(url) && /^smtps?:$/.test(new URL(url).protocol) && new URL(url).hostname !== '';
  if (!isServer) reader.faults.push('SMTP_URL is not an address such as smtps://user:password@mail.example.com:465');
  return { url, from };
}

/** The address may contain a password, so the fault does not quote it. */
function checkDatabaseUrl(reader: SettingsReader, name: string, url: string): void {
  const parsed = URL.parse(url);
  // With digits before it, a / in a password makes them the port, and the rest a path with an @.
  const isAddress = parsed !== null && /^postgres(ql)?:$/.test(parsed.protocol) && !parsed.pathname.includes('@');
  if (url === '' || isAddress) return;
  reader.faults.push(
    `${name} is not an address such as postgres://attune:secret@localhost:5432/attune (in its password, # is %23, / is %2F, ? is %3F and @ is %40)`,
  );
}

function readSecretKey(reader: SettingsReader): Buffer {
  const text = reader.required('SECRET_KEY', '$(openssl rand -base64 32)');
  if (text !== '' && text.length < 32) reader.faults.push('SECRET_KEY is shorter than 32 characters');
  return createHash('sha256').update(text).digest();
}

/**
 * node-postgres and PostgreSQL's own library, which DuckDB uses, both read the variable when the address says nothing,
 * but interpret its values differently: with `require` only the former verifies the server.
 */
function refuseSslMode(reader: SettingsReader): void {
  if (reader.text('PGSSLMODE', '') !== '')
    reader.faults.push('PGSSLMODE is not read: remove it, and append ?sslmode=verify-full to DATABASE_URL for TLS');
}

/** Temporal's server and page, and how a worker runs and ends. */
function readTemporal(reader: SettingsReader) {
  const { address, namespace, access } = readTemporalSettings(reader);
  return {
    temporalAddress: address,
    temporalNamespace: namespace,
    temporalAccess: access,
    temporalUiUrl: reader.url('TEMPORAL_UI_URL', '') || null,
    workerGraceMs: reader.number('WORKER_GRACE_SECONDS', 8, 0.1, 86_400) * 1000,
    workflowBundle: reader.file('WORKFLOW_BUNDLE'),
  };
}

function readIngest(reader: SettingsReader): Pick<Config, 'enrich' | 'ingest'> {
  return {
    enrich: { cityDatabase: reader.file('GEO_CITY_DATABASE'), dataCentres: reader.file('DATA_CENTRE_NETWORKS') },
    ingest: {
      loops: reader.integer('INGEST_LANES', 2, 1, 16),
      lakeCommitMs: reader.integer('LAKE_COMMIT_SECONDS', 2, 1, 3_600) * 1000,
    },
  };
}

function readConcurrency(reader: SettingsReader): Config['concurrency'] {
  return {
    media: reader.integer('MEDIA_CONCURRENCY', 2, 1, 64),
    ai: reader.integer('AI_CONCURRENCY', 8, 1, 500),
    data: reader.integer('DATA_CONCURRENCY', 4, 1, 100),
    // Attempts mostly wait: one to a hanging address holds its slot for 10 s, and a webhook may have 16 at a time. At
    // 64, four such addresses would fill a worker and hold up everybody's retries.
    webhook: reader.integer('WEBHOOK_CONCURRENCY', 256, 1, 1_000),
  };
}

/**
 * Reads and checks the whole environment.
 * @throws {ConfigError} with all faults.
 */
export function loadConfig(env: Env): Config {
  const reader = new SettingsReader(env);
  const dataDir = resolve(reader.text('ATTUNE_DATA_DIR', 'data'));
  const port = reader.integer('PORT', 8080, 1, 65_535);
  const host = reader.text('HOST', '127.0.0.1');
  const requireHttps = reader.boolean('REQUIRE_HTTPS', true);
  const databaseUrl = reader.required('DATABASE_URL', 'postgres://attune:secret@localhost:5432/attune');
  checkDatabaseUrl(reader, 'DATABASE_URL', databaseUrl);
  refuseSslMode(reader);
  const temporal = readTemporal(reader);
  const s3 = readS3(reader);
  const lake = readLake(reader, dataDir, databaseUrl, s3);
  const workDir = resolve(reader.text('WORK_DIR', join(dataDir, 'work')));
  const lateEventHours = reader.integer('LATE_EVENT_HOURS', 24, 1, 100_000);
  const publicUrl = readPublicUrl(reader, requireHttps, `http://${host}:${port}`);
  const config: Config = {
    dataDir,
    host,
    port,
    apiProcesses: reader.integer('API_PROCESSES', 2, 1, 64),
    metricsHost: reader.text('METRICS_HOST', '127.0.0.1'),
    metricsPort: reader.integer('METRICS_PORT', 0, 0, 65_535),
    publicUrl,
    contentHost: reader.host('CONTENT_HOST'),
    analyticsHost: reader.host('ANALYTICS_HOST'),
    requireHttps,
    trustedProxies: reader.peers('TRUSTED_PROXIES'),
    databaseUrl,
    databasePoolSize: reader.integer('DATABASE_POOL_SIZE', 10, 1, 200),
    ...temporal,
    secretKey: readSecretKey(reader),
    allowNetworks: reader.networks('ALLOW_NETWORKS'),
    denyNetworks: reader.networks('DENY_NETWORKS'),
    allowHttpMedia: reader.boolean('ALLOW_HTTP_MEDIA', false),
    blobs: readBlobs(reader, dataDir, s3),
    lake,
    reports: readReports(reader, lake, workDir, lateEventHours, requireHttps),
    workDir,
    importMaxBytes: reader.integer('IMPORT_MAX_MB', 1024, 1, 5_000) * 1024 * 1024,
    ffmpegPath: reader.text('FFMPEG_PATH', '/usr/bin/ffmpeg'),
    ...readAnalysisSettings(reader),
    rateLimits: reader.oneOf('RATE_LIMITS', ['memory', 'postgres'], 'postgres'),
    ipRequestsPerMinute: reader.integer('IP_REQUESTS_PER_MINUTE', 3000, 1, 1_000_000),
    ipSimultaneous: reader.integer('IP_SIMULTANEOUS', 50, 1, 100_000),
    auditDays: reader.integer('AUDIT_DAYS', 365, 1, 3_650),
    collectIpRequestsPerMinute: reader.integer('COLLECT_IP_REQUESTS_PER_MINUTE', 60_000, 1, 10_000_000),
    impressionIdDays: reader.integer('IMPRESSION_ID_DAYS', 30, 1, 730),
    lateEventHours,
    factRetentionMonths: reader.integer('FACT_RETENTION_MONTHS', 37, 1, 1_200),
    rerunItemsPerSecond: reader.integer('RERUN_ITEMS_PER_SECOND', RERUN_ITEMS_PER_SECOND, 1, 1_000),
    reconcileIntervalMs: reader.integer('RECONCILE_INTERVAL_SECONDS', 120, 1, 86_400) * 1000,
    ...readIngest(reader),
    selection: readSelectionSettings(reader),
    mail: readMail(reader, publicUrl),
    concurrency: readConcurrency(reader),
    logLevel: reader.oneOf('LOG_LEVEL', ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], 'info'),
  };
  if (reader.faults.length > 0) throw new ConfigError(reader.faults);
  return config;
}

/**
 * Does the same as `loadConfig` for a process without SECRET_KEY, which is neither required nor read.
 * @throws {ConfigError} with all faults.
 */
export function loadKeylessConfig(env: Env): KeylessConfig {
  const { secretKey: _unused, ...config } = loadConfig({ ...env, SECRET_KEY: 'not given to this process at all' });
  return config;
}
