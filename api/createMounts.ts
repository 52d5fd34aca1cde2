/** Creates the three APIs, each under its base path. */
import type { Config } from '../config.ts';
import { insertAuditEntry } from '../db/accounts/auditLog.ts';
import { createExportLinks } from '../domain/reports/exportLinks.ts';
import { createMapLinks } from '../domain/sites/mapLinks.ts';
import {
  deriveKey,
  encryptSecret,
  encryptSigningSecret,
  identitySecretPlace,
  signingSecretKeys,
} from '../domain/accounts/secretKeys.ts';
import { foldersOf } from '../platform/process/disks.ts';
import { createPasswordHasher } from '../platform/process/passwordHasher.ts';
import { readVersion } from '../platform/process/version.ts';
import { createAnalyticsApi } from './analytics/analyticsApi.ts';
import { createAnalyticsHealthCheck } from './analytics/healthCheck.ts';
import { createDeviceCookies } from './auth/deviceCookie.ts';
import { createSecondFactors } from './auth/secondFactor.ts';
import { type KeyLookUps } from './auth/keyLookUps.ts';
import { createLoginLimit } from './auth/loginLimit.ts';
import { type ProjectAuthentication } from './auth/projectKey.ts';
import { type SiteAuthentication } from './auth/siteKey.ts';
import { createCabinetApi } from './cabinet/cabinetApi.ts';
import { createPlaceFinder } from './cabinet/output/placeOfItem.ts';
import { createPreview } from './cabinet/output/runPreview.ts';
import { createWebhookUrlCheck } from './cabinet/webhooks/webhookUrl.ts';
import { createContentApi } from './content/contentApi.ts';
import { createHealthCheck } from './content/healthCheck.ts';
import { toHttpError } from './http/answer.ts';
import type { HealthReport } from './http/healthCheck.ts';
import { mount, type Mount } from './http/mount.ts';
import type { Services } from './http/orderOfChecks.ts';
import { createPostgresRateLimiter } from './http/rateLimiterPostgres.ts';
import { createMediaLinks, createOriginalLinks } from './media/mediaLinks.ts';
import { type Output } from '../output/serve/createOutput.ts';
import type { ApiDeps } from './deps.ts';

/** The authentication of the APIs; each caches some keys. */
export interface Keys {
  project: ProjectAuthentication;
  site: SiteAuthentication;
  /** Limits the cost of unknown keys, for all APIs together. */
  lookUps: KeyLookUps;
}

/** Returns the APIs, each under its base path. */
export function createMounts(
  {
    config,
    pool,
    logger,
    blobs,
    addressRules,
    resolve,
    cabinetRequestsPerSecond,
    reports = null,
    passwords = createPasswordHasher(),
  }: ApiDeps,
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
      checkWebhookUrl: createWebhookUrlCheck(addressRules, resolve),
      publicUrl: config.publicUrl,
      prices: config.prices,
      blobs,
      workDir: config.workDir,
      passwords,
      audit: (entry) =>
        insertAuditEntry(pool, entry).catch((error: unknown) => {
          const { operation, requestId } = entry;
          logger.error({ err: error, operation, requestId }, 'a change is missing from the audit trail');
        }),
      toHttpError: (error, requestId) => toHttpError(error, requestId, logger),
      devices: createDeviceCookies(deriveKey(config.secretKey, 'device-cookies')),
      secondFactors: createSecondFactors(deriveKey(config.secretKey, 'totp-secrets')),
      checkLoginLimit: createLoginLimit(createPostgresRateLimiter(pool, { refusedMs: 0 })),
      reports,
      exportLinks: createExportLinks(config.secretKey, config.publicUrl),
      mapLinks: createMapLinks(config.secretKey),
      ledgerKey,
      preview: createPreview(contentDeps),
      findPlace: createPlaceFinder(contentDeps),
      installation: {
        version: readVersion(),
        temporalUrl: namespaceUrl(config),
        folders: foldersOf(config),
        selectionUrls: config.selection.urls,
      },
      frameUrl: links.urlFor,
      originalUrl: createOriginalLinks(config.secretKey, config.publicUrl).urlFor,
    },
    keys.lookUps,
    cabinetRequestsPerSecond,
  );
  return [mount(content, services), mount(analytics, services), mount(cabinet, services)];
}

function namespaceUrl({ temporalUiUrl, temporalNamespace }: Config): string | null {
  return temporalUiUrl === null ? null : `${temporalUiUrl}/namespaces/${encodeURIComponent(temporalNamespace)}`;
}
