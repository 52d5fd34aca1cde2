/** The HTTP intake: one listener that serves every API by its path. */
import { join } from 'node:path';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import Koa from 'koa';
import type pg from 'pg';
import type { Registry } from 'prom-client';
import type { BlobStore } from '../blobs/store.ts';
import type { Config } from '../config.ts';
import { insertAuditEntry } from '../db/auditLog.ts';
import { listen as listenTo, type Listener } from '../db/listen.ts';
import { ACCESS_CHANNEL } from '../db/projectKeys.ts';
import { createExportLinks } from '../domain/exportLinks.ts';
import {
  deriveKey,
  encryptSecret,
  encryptSigningSecret,
  identitySecretPlace,
  signingSecretKeys,
} from '../domain/secretKeys.ts';
import type { AddressRules } from '../outgoing/address.ts';
import type { Resolve } from '../outgoing/resolve.ts';
import { mediaUrlJudge } from '../outgoing/url.ts';
import { listen } from '../process/metrics.ts';
import type { Logger } from '../process/logger.ts';
import { createPasswordHasher } from '../process/passwordHasher.ts';
import { createAnalyticsApi } from './analytics/api.ts';
import { createAnalyticsHealthCheck } from './analytics/healthCheck.ts';
import { createDeviceCookies } from './auth/deviceCookie.ts';
import { createSecondFactors } from './auth/secondFactor.ts';
import { createKeyLookUps, type KeyLookUps } from './auth/keyLookUps.ts';
import { createLoginLimit } from './auth/loginLimit.ts';
import { createProjectAuthentication, type ProjectAuthentication } from './auth/projectKey.ts';
import { createSiteAuthentication, type SiteAuthentication } from './auth/siteKey.ts';
import { createCabinetApi } from './cabinet/api.ts';
import { createPreview } from './content/preview.ts';
import { createWebhookUrlJudge } from './cabinet/webhookUrl.ts';
import { createCollect, type Collect } from './collect/index.ts';
import { createContentApi } from './content/api.ts';
import { createHealthCheck } from './content/healthCheck.ts';
import { serveExports } from './exports/route.ts';
import { createAddressGate } from './http/addressGate.ts';
import { answer } from './http/answer.ts';
import { BODY_LIMITS, isReadingBody, type BodyLimits } from './http/body.ts';
import type { HealthReport } from './http/healthCheck.ts';
import { notFound } from './http/errors.ts';
import { answerMalformedRequests } from './http/malformed.ts';
import { mount, serveMounts, type DescribedApi, type Mount } from './http/mount.ts';
import { parseTrustedProxies } from './http/peer.ts';
import type { Services } from './http/pipeline.ts';
import { createMemoryRateLimiter, isWindow, type RateLimiter } from './http/rateLimiter.ts';
import { createPostgresRateLimiter } from './http/rateLimiterPostgres.ts';
import { createRequestMetrics } from './http/requestMetrics.ts';
import { isUpload, UPLOAD_SILENCE_MS, type UploadLimits } from './http/upload.ts';
import { createValidators } from '../schemas/validation.ts';
import { createBundles } from './tag/bundles.ts';
import { serveTag } from './tag/route.ts';
import { createMediaLinks } from './media/links.ts';
import { serveMedia } from './media/route.ts';
import type { Reports } from './reports/runReport.ts';
import { createOutput, type Output } from '../output/serve/output.ts';

export interface ApiDeps {
  config: Config;
  pool: pg.Pool;
  logger: Logger;
  blobs: BlobStore;
  registry: Registry;
  /** Which addresses a user may name: ALLOW_NETWORKS and the service's own. */
  addressRules: AddressRules;
  /** Names to addresses, for the addresses of webhooks when they are saved. */
  resolve: Resolve;
  bodyLimits?: BodyLimits;
  uploadLimits?: UploadLimits;
  requestTimeoutMs?: number;
  answerSilenceMs?: number;
  /** Of one token or session of the cabinet; the documented ones when left out. */
  cabinetRequestsPerSecond?: number;
  /** Connections to the buckets that API processes share (RATE_LIMITS=postgres); without them each process counts for itself. */
  limiterPool?: pg.Pool | null;
  /** What runs reports (reports/engines/); without it they are answered 503. */
  reports?: Reports | null;
  /** Of the built tag; where scripts/tag.ts puts it when left out. */
  tagDir?: string;
}

export interface ApiServer {
  /** @throws {StartError} when the port is taken */
  listen(): Promise<void>;
  /** Takes no more connections and lets running requests finish, for `CLOSE_MS` at most. */
  close(): Promise<void>;
  server: Server;
  mounts: readonly Mount[];
  /** The mounts, and what is served beside them. */
  described: readonly DescribedApi[];
}

/** Requests that are not done by then are cut off. */
const CLOSE_MS = 8_000;
/** By then a connection in use has had an answer that says that it ends. */
const IDLE_MS = 1_500;
/** Beyond the body's own limit: a stop for what trickles in some other way. */
const REQUEST_TIMEOUT_MS = 60_000;
/** An upload of many gigabytes on a slow line; silence ends it much earlier. */
const UPLOAD_TIMEOUT_MS = 6 * 3_600_000;
const HEADERS_TIMEOUT_MS = 15_000;
/** Longer than the idle time of usual proxies, which otherwise meet closed connections. */
const KEEP_ALIVE_MS = 65_000;
const TAG_DIR = join(import.meta.dirname, '../tag/dist');

/** @throws {StartError} when a setting is unusable */
export function createApi(deps: ApiDeps): ApiServer {
  const { config, logger } = deps;
  const limiter = createLimiter(deps);
  const lookUps = createKeyLookUps();
  const keys: Keys = {
    project: createProjectAuthentication(deps.pool, lookUps),
    site: createSiteAuthentication(deps.pool, lookUps),
    lookUps,
  };
  const services = createServices(deps, limiter);
  const cursorKey = deriveKey(config.secretKey, 'output-cursors');
  const output = createOutput(deps.pool, { ...config.selection, cursorKey }, deps);
  const mounts = createMounts(deps, services, keys, output);
  const collect = createTagIntake(deps, services, lookUps);
  const server = createServer({
    requireHostHeader: false,
    requestTimeout: UPLOAD_TIMEOUT_MS,
    headersTimeout: HEADERS_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
  });
  const handle = createApp(deps, mounts, collect, limiter, () => !server.listening).callback();
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    endTrickling(request, deps.requestTimeoutMs ?? REQUEST_TIMEOUT_MS);
    void handle(request, response);
  };
  server.on('request', onRequest);
  // By default Node answers these two itself: 100 before anything is checked, and 417 without an id.
  server.on('checkContinue', onRequest);
  server.on('checkExpectation', onRequest);
  answerMalformedRequests(server, logger);
  let access: Listener | undefined;
  server.once('listening', () => (access = followAccess(deps, [keys.project, keys.site, collect.tagKeys])));
  return {
    server,
    mounts,
    described: [...mounts, collect],
    listen: () => listen(server, { host: config.host, port: config.port, setting: 'PORT' }),
    async close() {
      await closeGently(server);
      await output.close();
      await access?.close();
    },
  };
}

/** Lets a change of access hold at once; while PostgreSQL is away it holds after KEY_CACHE_TTL_MS. */
function followAccess({ config, logger }: ApiDeps, caches: readonly { forget(): void }[]): Listener {
  return listenTo(
    config.databaseUrl,
    ACCESS_CHANNEL,
    () => caches.forEach((cache) => cache.forget()),
    (error) => logger.warn({ err: error }, 'access notifications are away'),
  );
}

/** Node's own limit on the time of a request knows no exception; uploads and bodies have limits of their own. */
function endTrickling(request: IncomingMessage, afterMs: number): void {
  const timer = setTimeout(() => {
    if (!request.complete && !isUpload(request) && !isReadingBody(request)) request.socket.destroy();
  }, afterMs);
  timer.unref();
  request.once('close', () => clearTimeout(timer));
}

/** Windows are always shared: what they limit is expensive, and asks PostgreSQL anyway. */
function createLimiter({ pool, limiterPool = null, logger }: ApiDeps): RateLimiter {
  const shared = createPostgresRateLimiter(limiterPool ?? pool, {
    onAway: (error) =>
      logger.warn({ err: error }, 'the shared rate limits cannot be reached: this process counts for itself'),
  });
  if (limiterPool !== null) return shared;
  const own = createMemoryRateLimiter();
  return { take: (key, limit) => (isWindow(limit) ? shared : own).take(key, limit) };
}

/** Whose keys the APIs take; each remembers some of them. */
interface Keys {
  project: ProjectAuthentication;
  site: SiteAuthentication;
  /** Bounds the cost of unknown keys, whichever API they are shown to. */
  lookUps: KeyLookUps;
}

/** The APIs, each under its base path. */
function createMounts(
  { config, pool, logger, blobs, addressRules, resolve, cabinetRequestsPerSecond, reports = null }: ApiDeps,
  services: Services,
  keys: Keys,
  output: Output,
): Mount[] {
  const links = createMediaLinks(config.secretKey, config.publicUrl);
  const ledgerKey = deriveKey(config.secretKey, 'deletion-ledger');
  const onHealth =
    (api: string) =>
    ({ status, reasons }: HealthReport): void =>
      logger.warn({ api, status, reasons }, 'health changed');
  const checkHealth = createHealthCheck({ pool, onChange: onHealth('content') });
  const contentDeps = {
    pool,
    validators: services.validators,
    frameUrl: links.urlFor,
    checkHealth,
    output,
    impressionIdDays: config.impressionIdDays,
    ledgerKey,
  };
  const content = createContentApi({ authenticate: keys.project.authenticate, ...contentDeps }, config.contentHost);
  const checkAnalytics = createAnalyticsHealthCheck({ pool, onChange: onHealth('analytics') });
  const analytics = createAnalyticsApi(
    {
      authenticate: keys.site.authenticate,
      pool,
      checkHealth: checkAnalytics,
      validators: services.validators,
      reports,
      contactKey: deriveKey(config.secretKey, 'contact-hashes'),
    },
    config.analyticsHost,
  );
  const webhookKeys = signingSecretKeys(config.secretKey);
  const identityKey = deriveKey(config.secretKey, 'identity-secrets');
  const cabinet = createCabinetApi(
    pool,
    {
      validators: services.validators,
      encryptWebhookSecret: (secret, place) => encryptSigningSecret(webhookKeys, secret, place),
      encryptIdentitySecret: (secret, siteId) => encryptSecret(identityKey, secret, identitySecretPlace(siteId)),
      judgeWebhookUrl: createWebhookUrlJudge(addressRules, resolve),
      publicUrl: config.publicUrl,
      blobs,
      workDir: config.workDir,
      passwords: createPasswordHasher(),
      audit: (entry) =>
        insertAuditEntry(pool, entry).catch((error: unknown) => {
          const { operation, requestId } = entry;
          logger.error({ err: error, operation, requestId }, 'a change is missing from the audit trail');
        }),
      devices: createDeviceCookies(deriveKey(config.secretKey, 'device-cookies')),
      secondFactors: createSecondFactors(deriveKey(config.secretKey, 'totp-secrets')),
      checkLoginLimit: createLoginLimit(createPostgresRateLimiter(pool, { refusedMs: 0 })),
      reports,
      exportLinks: createExportLinks(config.secretKey, config.publicUrl),
      ledgerKey,
      preview: createPreview(contentDeps),
    },
    keys.lookUps,
    cabinetRequestsPerSecond,
  );
  return [mount(content, services), mount(analytics, services), mount(cabinet, services)];
}

function createTagIntake(
  { config, pool, registry, blobs }: ApiDeps,
  { validators }: Services,
  lookUps: KeyLookUps,
): Collect {
  const { lateEventHours, requireHttps, workDir } = config;
  return createCollect({
    pool,
    registry,
    lookUps,
    validators,
    lateEventHours,
    requestsPerMinute: config.collectIpRequestsPerMinute,
    requireHttps,
    blobs,
    workDir,
    contactKey: deriveKey(config.secretKey, 'contact-hashes'),
    identityKey: deriveKey(config.secretKey, 'identity-secrets'),
  });
}

function createApp(
  { config, pool, logger, registry, blobs, tagDir = TAG_DIR, answerSilenceMs: silenceMs }: ApiDeps,
  mounts: readonly Mount[],
  collect: Collect,
  limiter: RateLimiter,
  isClosing: () => boolean,
): Koa {
  const gate = createAddressGate(limiter, {
    perMinute: config.ipRequestsPerMinute,
    simultaneous: config.ipSimultaneous,
  });
  const app = new Koa();
  app.on('error', (error: unknown) => logger.warn({ err: error }, 'could not write an answer'));
  app.use(
    answer({
      logger,
      metrics: createRequestMetrics(registry),
      trustedProxies: parseTrustedProxies(config.trustedProxies),
      isClosing,
      silenceMs,
    }),
  );
  for (const middleware of collect.middlewares) app.use(middleware);
  app.use(serveTag(createBundles(tagDir), logger, config.requireHttps));
  app.use(serveMounts(mounts, gate));
  app.use(serveMedia(createMediaLinks(config.secretKey, config.publicUrl), blobs, config.requireHttps));
  app.use(
    serveExports({
      links: createExportLinks(config.secretKey, config.publicUrl),
      pool,
      blobs,
      requireHttps: config.requireHttps,
    }),
  );
  app.use(() => {
    throw notFound();
  });
  return app;
}

function createServices(
  { config, addressRules, bodyLimits = BODY_LIMITS, uploadLimits }: ApiDeps,
  limiter: RateLimiter,
): Services {
  const isMediaUrl = mediaUrlJudge(addressRules, { allowHttp: config.allowHttpMedia });
  return {
    validators: createValidators({ isMediaUrl }),
    limiter,
    bodyLimits,
    uploadLimits: uploadLimits ?? { maxBytes: config.importMaxBytes, silenceMs: UPLOAD_SILENCE_MS },
    requireHttps: config.requireHttps,
  };
}

function closeGently(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const idle = setTimeout(() => server.closeIdleConnections(), IDLE_MS);
    const deadline = setTimeout(() => server.closeAllConnections(), CLOSE_MS);
    // Not that of http, which ends idle connections at once: the next request may be on its way on any of them.
    NetServer.prototype.close.call(server, () => {
      clearTimeout(idle);
      clearTimeout(deadline);
      resolve();
    });
  });
}
