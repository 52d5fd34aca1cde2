/** Creates the three APIs, each under its base path. */
import type { Config } from '../config.ts';
import { insertAuditEntry } from '../db/accounts/auditLog.ts';
import { createExportLinks } from '../domain/reports/exportLinks.ts';
import { createMapLinks } from '../domain/sites/mapLinks.ts';
import {
  deriveKey,
  encryptSecret,
  encryptSigningSecret,
  identitySecretContext,
  signingSecretKeys,
} from '../domain/accounts/secretKeys.ts';
import { foldersOf } from '../platform/process/metrics/disks.ts';
import type { Logger } from '../platform/process/logger.ts';
import { createPasswordHasher } from '../platform/process/passwordHasher.ts';
import { readVersion } from '../platform/process/version.ts';
import { createAnalyticsApi, type AnalyticsApiDeps } from './analyticsApi.ts';
import { createAnalyticsHealthCheck } from './analytics/healthCheck.ts';
import { createDeviceCookies } from './auth/deviceCookie.ts';
import { createSecondFactors } from './auth/secondFactor.ts';
import { type KeyLookups } from './auth/keyLookups.ts';
import { createLoginLimit } from './auth/loginLimit.ts';
import { type ProjectAuthentication } from './auth/projectKey.ts';
import { type SiteAuthentication } from './auth/siteKey.ts';
import { createCabinetApi, type CabinetApiDeps } from './cabinetApi.ts';
import type { CabinetDeps } from './cabinet/cabinetOperation.ts';
import { createPlaceFinder } from './cabinet/output/preview/placeOfItem.ts';
import { createPreview } from './cabinet/output/preview/runPreview.ts';
import { createWebhookUrlCheck } from './cabinet/webhooks/webhookUrl.ts';
import { createContentApi } from './contentApi.ts';
import type { ContentDeps } from './content/contentOperation.ts';
import { createHealthCheck } from './content/healthCheck.ts';
import { toHttpError } from './http/handling/answer.ts';
import type { HealthReport } from './http/operations/cachedHealthCheck.ts';
import { mount, type Mount } from './http/handling/mount.ts';
import type { Services } from './http/handling/orderOfChecks.ts';
import { createPostgresRateLimiter } from './http/limits/rateLimiterPostgres.ts';
import { createMediaLinks, createOriginalLinks } from './media/mediaLinks.ts';
import { type Output } from '../output/serve/createOutput.ts';
import type { ApiDeps } from './deps.ts';

/** The authentication of the APIs; each caches some keys. */
export interface Keys {
  project: ProjectAuthentication;
  site: SiteAuthentication;
  /** Limits the cost of unknown keys, for all APIs together. */
  lookups: KeyLookups;
}

type SharedContentDeps = Omit<ContentDeps, 'describe'>;

/** Returns the APIs, each under its base path. */
export function createMounts(deps: ApiDeps, services: Services, keys: Keys, output: Output): Mount[] {
  const { config, pool, cabinetRequestsPerSecond } = deps;
  const contentDeps = contentDepsOf(deps, services, output);
  const content = createContentApi({ authenticate: keys.project.authenticate, ...contentDeps }, config.contentHost);
  const analytics = createAnalyticsApi(analyticsDepsOf(deps, services, keys.site), config.analyticsHost);
  const cabinetDeps = cabinetDepsOf(deps, services, contentDeps);
  const cabinet = createCabinetApi(pool, cabinetDeps, keys.lookups, cabinetRequestsPerSecond);
  return [mount(content, services), mount(analytics, services), mount(cabinet, services)];
}

function contentDepsOf({ config, pool, logger }: ApiDeps, services: Services, output: Output): SharedContentDeps {
  return {
    pool,
    validators: services.validators,
    frameUrl: createMediaLinks(config.secretKey, config.publicUrl).urlFor,
    checkHealth: createHealthCheck({ pool, onChange: logHealth(logger, 'content') }),
    output,
    impressionIdDays: config.impressionIdDays,
    ledgerKey: deriveKey(config.secretKey, 'deletion-ledger'),
  };
}

function analyticsDepsOf(
  { config, pool, logger, reports = null }: ApiDeps,
  services: Services,
  { authenticate }: SiteAuthentication,
): AnalyticsApiDeps {
  return {
    authenticate,
    pool,
    logger,
    checkHealth: createAnalyticsHealthCheck({ pool, onChange: logHealth(logger, 'analytics') }),
    validators: services.validators,
    reports,
    contactKey: deriveKey(config.secretKey, 'contact-hashes'),
  };
}

function cabinetDepsOf(deps: ApiDeps, services: Services, content: SharedContentDeps): CabinetApiDeps {
  const { config, pool, logger, blobs, reports = null, passwords = createPasswordHasher() } = deps;
  const { frameUrl, ledgerKey } = content;
  return {
    validators: services.validators,
    ...encryptionOf(config),
    checkWebhookUrl: createWebhookUrlCheck(deps.addressRules, deps.resolve),
    publicUrl: config.publicUrl,
    prices: config.prices,
    blobs,
    workDir: config.workDir,
    passwords,
    audit: auditOf(deps),
    toHttpError: (error, requestId) => toHttpError(error, requestId, logger),
    devices: createDeviceCookies(deriveKey(config.secretKey, 'device-cookies')),
    secondFactors: createSecondFactors(deriveKey(config.secretKey, 'totp-secrets')),
    checkLoginLimit: createLoginLimit(createPostgresRateLimiter(pool, { refusalTtlMs: 0 })),
    reports,
    exportLinks: createExportLinks(config.secretKey, config.publicUrl),
    mapLinks: createMapLinks(config.secretKey),
    ledgerKey,
    preview: createPreview(content),
    findPlace: createPlaceFinder(content),
    installation: installationOf(config),
    frameUrl,
    originalUrl: createOriginalLinks(config.secretKey, config.publicUrl).urlFor,
  };
}

/** The log notes each change of an API's health. */
function logHealth(logger: Logger, api: string) {
  return ({ status, reasons }: HealthReport): void => logger.warn({ api, status, reasons }, 'health changed');
}

function encryptionOf({ secretKey }: Config): Pick<CabinetDeps, 'encryptWebhookSecret' | 'encryptIdentitySecret'> {
  const webhookKeys = signingSecretKeys(secretKey);
  const identityKey = deriveKey(secretKey, 'identity-secrets');
  return {
    encryptWebhookSecret: (secret, context) => encryptSigningSecret(webhookKeys, secret, context),
    encryptIdentitySecret: (secret, siteId) => encryptSecret(identityKey, secret, identitySecretContext(siteId)),
  };
}

/** Returns the function that writes to the audit trail; a failure is only logged. */
function auditOf({ pool, logger }: ApiDeps): CabinetDeps['audit'] {
  return (entry) =>
    insertAuditEntry(pool, entry).catch((error: unknown) => {
      const { operation, requestId } = entry;
      logger.error({ err: error, operation, requestId }, 'a change is missing from the audit trail');
    });
}

function installationOf(config: Config): CabinetDeps['installation'] {
  return {
    version: readVersion(),
    temporalUrl: namespaceUrl(config),
    folders: foldersOf(config),
    selectionUrls: config.selection.urls,
  };
}

function namespaceUrl({ temporalUiUrl, temporalNamespace }: Config): string | null {
  return temporalUiUrl === null ? null : `${temporalUiUrl}/namespaces/${encodeURIComponent(temporalNamespace)}`;
}
