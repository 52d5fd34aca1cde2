/** Dependencies of an API process. */
import type pg from 'pg';
import type { Registry } from 'prom-client';
import type { BlobStore } from '../platform/blobs/createBlobStore.ts';
import type { Config } from '../config.ts';
import type { AddressRules } from '../platform/outgoing/forbiddenAddresses.ts';
import type { Resolve } from '../platform/outgoing/resolve.ts';
import type { Logger } from '../platform/process/logger.ts';
import type { PasswordHasher } from '../platform/process/passwordHasher.ts';
import { type BodyLimits } from './http/requestBody.ts';
import { type UploadLimits } from './http/upload.ts';
import type { Reports } from './reports/runForClient.ts';

export interface ApiDeps {
  config: Config;
  pool: pg.Pool;
  logger: Logger;
  blobs: BlobStore;
  registry: Registry;
  /**
   * Decides which addresses users may name, by ALLOW_NETWORKS, DENY_NETWORKS and the endpoints of the service itself.
   */
  addressRules: AddressRules;
  /** Resolves names, for checking the URLs of webhooks when they are saved. */
  resolve: Resolve;
  bodyLimits?: BodyLimits;
  uploadLimits?: UploadLimits;
  requestTimeoutMs?: number;
  answerSilenceMs?: number;
  /** Hashes the passwords of users; the default uses the cost of production. */
  passwords?: PasswordHasher;
  /** Per token or session of the cabinet; the documented limit by default. */
  cabinetRequestsPerSecond?: number;
  /**
   * Connections to the buckets that API processes share (RATE_LIMITS=postgres); without them each process counts
   * separately.
   */
  limiterPool?: pg.Pool | null;
  /** Runs reports (reports/engines/); without it they are answered with 503. */
  reports?: Reports | null;
  /** Folder of the built tag; by default the output folder of tools/scripts/tag.ts. */
  tagDir?: string;
  /** Folder of the cabinet's built web app; by default the output folder of tools/scripts/cabinet/build.ts. */
  cabinetDir?: string;
}
