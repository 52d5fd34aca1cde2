/** The HTTP intake: one listener that serves every API by its path. */
import { join } from 'node:path';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import Koa from 'koa';
import { listen as listenTo, type Listener } from '../db/listen.ts';
import { ACCESS_CHANNEL } from '../db/accounts/projectKeys.ts';
import { createExportLinks } from '../domain/reports/exportLinks.ts';
import { createMapLinks } from '../domain/sites/mapLinks.ts';
import { deriveKey } from '../domain/accounts/secretKeys.ts';
import { createGuardedAgent, type GuardedAgent } from '../platform/outgoing/connect.ts';
import { mediaUrlCheck } from '../platform/outgoing/url.ts';
import { listen } from '../platform/process/metrics/metrics.ts';
import { createKeyLookups, type KeyLookups } from './auth/keyLookups.ts';
import { createProjectAuthentication } from './auth/projectKey.ts';
import { createSiteAuthentication } from './auth/siteKey.ts';
import { createCollect, type CollectIntake } from './collect/index.ts';
import { serveExports } from './exports/route.ts';
import { serveMaps } from './maps/route.ts';
import { createClientIpLimiter } from './http/limits/clientIpLimits.ts';
import { destroySlowRequest, NODE_TIMEOUTS, REQUEST_TIMEOUT_MS } from './http/limits/connectionTimeouts.ts';
import { answer, logBrokenAnswers } from './http/handling/answer.ts';
import { BODY_LIMITS } from './http/requestBody.ts';
import { notFound } from './http/errors.ts';
import { answerMalformedRequests, refuseMalformedTargets } from './http/malformed.ts';
import { serveMounts, type DescribedApi, type Mount } from './http/handling/mount.ts';
import { parseTrustedProxies } from './http/limits/trustedProxies.ts';
import type { Services } from './http/handling/orderOfChecks.ts';
import { createMemoryRateLimiter, isWindow, type RateLimiter } from './http/limits/rateLimiter.ts';
import { createPostgresRateLimiter } from './http/limits/rateLimiterPostgres.ts';
import { createRequestMetrics } from './http/requestMetrics.ts';
import { UPLOAD_SILENCE_MS } from './http/upload.ts';
import { createValidators, type CompileValidator } from '../domain/schemas/validation.ts';
import { createAppFiles } from './pages/webAppFiles.ts';
import { servePages } from './pages/route.ts';
import { createBundles } from './tag/bundles.ts';
import { serveTag } from './tag/route.ts';
import { createMediaLinks, createOriginalLinks } from './media/mediaLinks.ts';
import { serveOriginals } from './media/originals.ts';
import { serveMedia } from './media/route.ts';
import { createOutput } from '../output/serve/createOutput.ts';
import { closeGently } from './closeGently.ts';
import { createMounts, type Keys } from './createMounts.ts';
import type { ApiDeps } from './deps.ts';

export interface ApiServer {
  /** @throws {StartError} when the port is in use */
  listen(): Promise<void>;
  /** Accepts no more connections and lets running requests finish, for some seconds (closeGently.ts). */
  close(): Promise<void>;
  server: Server;
  mounts: readonly Mount[];
  /** The mounts, and the other described endpoints. */
  described: readonly DescribedApi[];
}

const TAG_DIR = join(import.meta.dirname, '../clients/tag/dist');
const CABINET_DIR = join(import.meta.dirname, '../cabinet/dist');

/** @throws {StartError} when a setting is unusable */
export function createApi(deps: ApiDeps): ApiServer {
  const { config, logger } = deps;
  const limiter = createLimiter(deps);
  const lookups = createKeyLookups();
  const keys: Keys = {
    project: createProjectAuthentication(deps.pool, lookups),
    site: createSiteAuthentication(deps.pool, lookups),
    lookups,
  };
  const services = createServices(deps, limiter);
  const cursorKey = deriveKey(config.secretKey, 'output-cursors');
  const output = createOutput(deps.pool, { ...config.selection, cursorKey }, deps);
  const mounts = createMounts(deps, services, keys, output);
  const collect = createTagIntake(deps, services, lookups);
  const server = createServer({ requireHostHeader: false, ...NODE_TIMEOUTS });
  const { addressRules: rules, resolve } = deps;
  const agent = createGuardedAgent({ ...rules, resolve, allowHttp: config.allowHttpMedia });
  const { validators } = services;
  const handle = createApp(deps, { mounts, collect, limiter, validators, agent }, () => !server.listening).callback();
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    destroySlowRequest(request, deps.requestTimeoutMs ?? REQUEST_TIMEOUT_MS);
    void handle(request, response);
  };
  server.on('request', onRequest);
  // By default Node answers these two itself: 100 before any check, and 417 without an id.
  server.on('checkContinue', onRequest);
  server.on('checkExpectation', onRequest);
  answerMalformedRequests(server, logger);
  let access: Listener | undefined;
  server.once('listening', () => (access = listenForAccessChanges(deps, [keys.project, keys.site, collect.tagKeys])));
  return {
    server,
    mounts,
    described: [...mounts, collect],
    listen: () => listen(server, { host: config.host, port: config.port, setting: 'PORT' }),
    async close() {
      await closeGently(server);
      await output.close();
      await collect.close();
      await agent.destroy();
      await access?.close();
    },
  };
}

/** Makes a change of access take effect at once; while PostgreSQL is unavailable it takes KEY_CACHE_TTL_MS. */
function listenForAccessChanges({ config, logger }: ApiDeps, caches: readonly { invalidate(): void }[]): Listener {
  return listenTo(
    config.databaseUrl,
    ACCESS_CHANNEL,
    () => caches.forEach((cache) => cache.invalidate()),
    (error) => logger.warn({ err: error }, 'the connection for access notifications is lost'),
  );
}

/** Creates the limiter. Windows are always shared: what they limit is expensive, and queries PostgreSQL anyway. */
function createLimiter({ pool, limiterPool = null, logger }: ApiDeps): RateLimiter {
  const shared = createPostgresRateLimiter(limiterPool ?? pool, {
    onUnavailable: (error) =>
      logger.warn({ err: error }, 'the shared rate limits are unreachable: this process counts on its own'),
  });
  if (limiterPool !== null) return shared;
  const own = createMemoryRateLimiter();
  return { take: (key, limit) => (isWindow(limit) ? shared : own).take(key, limit) };
}

function createTagIntake(
  { config, pool, registry, blobs }: ApiDeps,
  { validators }: Services,
  lookups: KeyLookups,
): CollectIntake {
  const { lateEventHours, requireHttps, workDir } = config;
  return createCollect({
    pool,
    registry,
    lookups,
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

/** Parts that serve the routes. */
interface AppParts {
  mounts: readonly Mount[];
  collect: CollectIntake;
  limiter: RateLimiter;
  validators: CompileValidator;
  /** The agent for requests to URLs that users gave. */
  agent: GuardedAgent;
}

function createApp(
  {
    config,
    pool,
    logger,
    registry,
    blobs,
    tagDir = TAG_DIR,
    cabinetDir = CABINET_DIR,
    reports = null,
    answerSilenceMs: silenceMs,
  }: ApiDeps,
  { mounts, collect, limiter, validators, agent }: AppParts,
  isClosing: () => boolean,
): Koa {
  const gate = createClientIpLimiter(limiter, {
    perMinute: config.ipRequestsPerMinute,
    simultaneous: config.ipSimultaneous,
  });
  const app = new Koa();
  app.on('error', logBrokenAnswers(logger));
  app.use(
    answer({
      logger,
      metrics: createRequestMetrics(registry),
      trustedProxies: parseTrustedProxies(config.trustedProxies),
      isClosing,
      silenceMs,
    }),
  );
  app.use(refuseMalformedTargets);
  for (const middleware of collect.middlewares) app.use(middleware);
  app.use(serveTag(createBundles(tagDir), logger, config.requireHttps));
  app.use(serveMounts(mounts, gate));
  const { publicUrl, requireHttps } = config;
  app.use(servePages({ files: createAppFiles(cabinetDir), publicUrl, requireHttps, logger }));
  app.use(serveMedia(createMediaLinks(config.secretKey, config.publicUrl), blobs, config.requireHttps));
  const originals = createOriginalLinks(config.secretKey, config.publicUrl);
  app.use(serveOriginals({ links: originals, pool, agent, requireHttps, logger }));
  app.use(
    serveExports({
      links: createExportLinks(config.secretKey, config.publicUrl),
      pool,
      blobs,
      requireHttps: config.requireHttps,
    }),
  );
  app.use(serveMaps({ links: createMapLinks(config.secretKey), pool, reports, validators, requireHttps }));
  app.use(() => {
    throw notFound();
  });
  return app;
}

function createServices(
  { config, addressRules, bodyLimits = BODY_LIMITS, uploadLimits }: ApiDeps,
  limiter: RateLimiter,
): Services {
  const isMediaUrl = mediaUrlCheck(addressRules, { allowHttp: config.allowHttpMedia });
  return {
    validators: createValidators({ isMediaUrl }),
    limiter,
    bodyLimits,
    uploadLimits: uploadLimits ?? { maxBytes: config.importMaxBytes, silenceMs: UPLOAD_SILENCE_MS },
    requireHttps: config.requireHttps,
  };
}
