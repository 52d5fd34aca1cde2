/**
 * The environment, read once at start. Every fault is reported at once, each with the setting's
 * name and what to write instead; nothing else in the product reads `process.env`.
 */
import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import type { BlobSettings, S3Settings } from './blobs/settings.ts';
import type { ReportSettings } from './reports/engines/settings.ts';
import type { LakeSettings } from './reports/lake/settings.ts';
import type { AllowList } from './outgoing/address.ts';
import type { MailSettings } from './outgoing/mail.ts';
import type { ProviderCapability } from './domain/capabilities.ts';
import { readSelectionSettings, type SelectionSettings } from './output/settings.ts';
import { RERUN_ITEMS_PER_SECOND } from './domain/reruns.ts';
import { SettingsReader, type Env } from './process/settingsReader.ts';
import { readTemporalSettings, type TemporalAccess } from './process/temporalAccess.ts';
import {
  readCapability,
  readEmbeddingTraits,
  readSentenceEncoderDir,
  type CapabilityConfig,
  type EmbeddingTraits,
} from './providers/settings.ts';

export type { CapabilityConfig, Env };

export interface Config {
  dataDir: string;
  host: string;
  port: number;
  /** The number of processes that api/cluster.ts runs. */
  apiProcesses: number;
  /** Prometheus metrics of the API; the workers have ports of their own. 0 turns metrics off. */
  metricsHost: string;
  metricsPort: number;
  /** Public origin of the installation, for links and the webhook User-Agent. No trailing slash. */
  publicUrl: string;
  contentHost: string | null;
  analyticsHost: string | null;
  requireHttps: boolean;
  /** Addresses and networks of the peers whose X-Forwarded-* headers are believed. */
  trustedProxies: string[];
  databaseUrl: string;
  databasePoolSize: number;
  temporalAddress: string;
  temporalNamespace: string;
  /** How long work in hand may go on after a stop was asked for; then it is given up to a retry. */
  workerGraceMs: number;
  /** TLS, a client's certificate, an API key. */
  temporalAccess: TemporalAccess;
  /** File of the workflows' code (process/workflowBundle.ts); null: the worker bundles it at its start. */
  workflowBundle: string | null;
  /** Derives every other key (signed links, encryption of webhook secrets): see domain/secretKeys.ts. */
  secretKey: Buffer;
  /** CIDR list that opens addresses to outgoing requests; empty in production. */
  allowNetworks: AllowList;
  /** CIDR list that outgoing requests never reach, whatever opens it. */
  denyNetworks: AllowList;
  /** Media may come over plain http from an opened network (development samples, tests). */
  allowHttpMedia: boolean;
  blobs: BlobSettings;
  lake: LakeSettings;
  /** Of each process that makes reports. */
  reports: ReportSettings;
  workDir: string;
  /** Of the file of one import. */
  importMaxBytes: number;
  ffmpegPath: string;
  tessdataDirs: string[];
  /** Folder of the sentence encoder's two files (providers/builtin/encoder/files.ts); null: vectors are lexical. */
  sentenceEncoderDir: string | null;
  capabilities: Record<ProviderCapability, CapabilityConfig>;
  embeddingTraits: EmbeddingTraits;
  providerTimeoutMs: number;
  /** Where the buckets of the rate limits are: in each API process, or shared by all of them. */
  rateLimits: 'memory' | 'postgres';
  ipRequestsPerMinute: number;
  ipSimultaneous: number;
  /** How long the trail of changes through the cabinet is kept. */
  auditDays: number;
  /** The limit of one address at /collect. */
  collectIpRequestsPerMinute: number;
  reconcileIntervalMs: number;
  /** Items that one rerun queues for new analysis in a second. */
  rerunItemsPerSecond: number;
  /** How long the ids of impressions are remembered, so that a repeat is not counted again. */
  impressionIdDays: number;
  /** Older events of the tag are dropped; as long, and 24 hours at least, repeats are known. */
  lateEventHours: number;
  /** How many months conversions, orders and refunds are kept: reports of two years, and first orders. */
  factRetentionMonths: number;
  /** Files of the operator's own for the ingest: an .mmdb with regions and cities, a list of networks. */
  enrich: { cityDatabase: string | null; dataCentres: string | null };
  /** Sessions of one ingest process, and how often what they have staged goes to the lake. */
  ingest: { lanes: number; lakeCommitMs: number };
  /** Where recommendations and searches are ranked (output/). */
  selection: SelectionSettings;
  /** Mail to users of the cabinet; null: none is sent. */
  mail: MailSettings | null;
  /** Activities at a time in one worker process, by queue. */
  concurrency: { media: number; ai: number; data: number; webhook: number };
  logLevel: string;
}

/** The configuration of a process that signs and decrypts nothing: SECRET_KEY stays out of its environment. */
export type KeylessConfig = Omit<Config, 'secretKey'>;

/** All faults of the configuration, one line each. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.faults = faults;
  }
}

/** Links and the webhooks' User-Agent name it; only a development stack can guess it. */
function readPublicUrl(reader: SettingsReader, requireHttps: boolean, guess: string): string {
  if (!requireHttps) return reader.url('PUBLIC_URL', guess);
  const url = reader.required('PUBLIC_URL', 'https://attune.example.com');
  return url === '' ? guess : reader.url('PUBLIC_URL', url);
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

/** Engines have memory and threads of their own, and a folder that nobody else sweeps. */
function readReports(
  reader: SettingsReader,
  lake: LakeSettings,
  workDir: string,
  lateEventHours: number,
  requireHttps: boolean,
): ReportSettings {
  const memoryMb = reader.integer('REPORT_MEMORY_MB', 512, 64, 1_000_000);
  const databaseUrl = reader.text('REPORT_DATABASE_URL', '');
  return {
    lake: {
      ...lake,
      ...(databaseUrl !== '' && { databaseUrl, readOnly: true }),
      memoryMb,
      threads: reader.integer('REPORT_THREADS', 2, 1, 256),
      tempDir: join(workDir, 'reports'),
      tempMb: memoryMb * REPORT_TEMP_FACTOR,
    },
    engines: reader.integer('REPORT_ENGINES', 3, 1, 64),
    seconds: reader.number('REPORT_SECONDS', 30, 0.001, 3_600),
    sampleSeconds: reader.number('REPORT_SAMPLE_SECONDS', 30, 0.001, 3_600),
    lateEventHours,
    audienceMinPeople: readLeastPeople(reader, requireHttps),
  };
}

/**
 * A group of one is that person, and of two each knows the other: an installation for the public shows groups of three
 * at least. In development, where a handful of visitors is all there is, every group may be seen.
 */
function readLeastPeople(reader: SettingsReader, isPublic: boolean): number {
  return reader.integer('AUDIENCE_MIN_PEOPLE', isPublic ? 5 : 1, isPublic ? 3 : 1, 1_000_000);
}

/** What a report does not hold in memory goes to disk, up to so many times its memory. */
const REPORT_TEMP_FACTOR = 8;

function readS3(reader: SettingsReader): S3Settings {
  const accessKeyId = reader.text('S3_ACCESS_KEY_ID', '');
  const secretAccessKey = reader.text('S3_SECRET_ACCESS_KEY', '');
  if ((accessKeyId === '') !== (secretAccessKey === ''))
    reader.faults.push('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY are set both or neither');
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
  // It may hold a password: the fault does not quote it.
  const isServer = URL.canParse(url) && /^smtps?:$/.test(new URL(url).protocol) && new URL(url).hostname !== '';
  if (!isServer) reader.faults.push('SMTP_URL is not an address such as smtps://user:password@mail.example.com:465');
  return { url, from };
}

function readSecretKey(reader: SettingsReader): Buffer {
  const text = reader.required('SECRET_KEY', '$(openssl rand -base64 32)');
  if (text !== '' && text.length < 32) reader.faults.push('SECRET_KEY is shorter than 32 characters');
  return createHash('sha256').update(text).digest();
}

/**
 * Reads and checks the whole environment.
 * @throws {ConfigError} naming every fault at once.
 */
export function loadConfig(env: Env): Config {
  const reader = new SettingsReader(env);
  const dataDir = resolve(reader.text('ATTUNE_DATA_DIR', 'data'));
  const port = reader.integer('PORT', 8080, 1, 65_535);
  const host = reader.text('HOST', '127.0.0.1');
  const requireHttps = reader.boolean('REQUIRE_HTTPS', true);
  const databaseUrl = reader.required('DATABASE_URL', 'postgres://attune:secret@localhost:5432/attune');
  const temporal = readTemporalSettings(reader);
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
    contentHost: reader.text('CONTENT_HOST', '') || null,
    analyticsHost: reader.text('ANALYTICS_HOST', '') || null,
    requireHttps,
    trustedProxies: reader.peers('TRUSTED_PROXIES'),
    databaseUrl,
    databasePoolSize: reader.integer('DATABASE_POOL_SIZE', 10, 1, 200),
    temporalAddress: temporal.address,
    temporalNamespace: temporal.namespace,
    temporalAccess: temporal.access,
    workerGraceMs: reader.number('WORKER_GRACE_SECONDS', 8, 0.1, 86_400) * 1000,
    workflowBundle: reader.file('WORKFLOW_BUNDLE'),
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
    tessdataDirs: reader.list('TESSDATA_DIRS'),
    sentenceEncoderDir: readSentenceEncoderDir(reader),
    capabilities: {
      speech: readCapability(reader, 'speech'),
      vision: readCapability(reader, 'vision'),
      summary: readCapability(reader, 'summary'),
      moderation: readCapability(reader, 'moderation'),
      embedding: readCapability(reader, 'embedding'),
    },
    embeddingTraits: readEmbeddingTraits(reader),
    providerTimeoutMs: reader.integer('PROVIDER_TIMEOUT_SECONDS', 120, 1, 3600) * 1000,
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
    enrich: { cityDatabase: reader.file('GEO_CITY_DATABASE'), dataCentres: reader.file('DATA_CENTRE_NETWORKS') },
    ingest: {
      lanes: reader.integer('INGEST_LANES', 2, 1, 16),
      lakeCommitMs: reader.integer('LAKE_COMMIT_SECONDS', 2, 1, 3_600) * 1000,
    },
    selection: readSelectionSettings(reader),
    mail: readMail(reader, publicUrl),
    concurrency: {
      media: reader.integer('MEDIA_CONCURRENCY', 2, 1, 64),
      ai: reader.integer('AI_CONCURRENCY', 8, 1, 500),
      data: reader.integer('DATA_CONCURRENCY', 4, 1, 100),
      // Attempts only wait: one to a hanging address holds its place for 10 s, 16 of a webhook at a time.
      // At 64 four such addresses would fill a worker and hold up everybody's retries.
      webhook: reader.integer('WEBHOOK_CONCURRENCY', 256, 1, 1_000),
    },
    logLevel: reader.oneOf('LOG_LEVEL', ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], 'info'),
  };
  if (reader.faults.length > 0) throw new ConfigError(reader.faults);
  return config;
}

/**
 * As `loadConfig`, for a process that needs no SECRET_KEY: it is neither asked for nor looked at.
 * @throws {ConfigError} naming every fault at once.
 */
export function loadKeylessConfig(env: Env): KeylessConfig {
  const { secretKey: _unused, ...config } = loadConfig({ ...env, SECRET_KEY: 'not given to this process at all' });
  return config;
}
