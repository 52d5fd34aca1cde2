/** Dependencies of the cabinet's operations, and the schemas that they share. */
import type pg from 'pg';
import Type from 'typebox';
import { ID_MAX_LENGTH } from '../../domain/idLength.ts';
import type { AuditEntry } from '../../db/accounts/auditLog.ts';
import type { MediumPosition } from '../../db/items/mediumSource.ts';
import type { BlobStore } from '../../platform/blobs/createBlobStore.ts';
import type { ExportLinks } from '../../domain/reports/exportLinks.ts';
import type { Prices } from '../../domain/analysis/prices.ts';
import type { MapLinks } from '../../domain/sites/mapLinks.ts';
import type { PasswordHasher } from '../../platform/process/passwordHasher.ts';
import type { CabinetCaller } from '../auth/cabinetAuthentication.ts';
import type { DeviceCookies } from '../auth/deviceCookie.ts';
import type { CheckLoginLimit } from '../auth/loginLimit.ts';
import type { SecondFactors } from '../auth/secondFactor.ts';
import type { FindPlace } from './output/preview/placeOfItem.ts';
import type { Preview } from './output/preview/runPreview.ts';
import type { DetailCode, HttpError } from '../http/errors.ts';
import { definer } from '../http/operations/operation.ts';
import { strictObject, text, type Static, type TSchema } from '../../domain/schemas/schema.ts';
import type { CompileValidator } from '../../domain/schemas/validation.ts';
import type { Reports } from '../reports/runForClient.ts';
import { UUID as UUID_PATTERN, UUID_IN_ANY_CASE } from '../../domain/uuid.ts';

/** Returns null for a URL that may be saved as a webhook's. */
export type CheckWebhookUrl = (url: string) => Promise<DetailCode | null>;

/** Facts about the installation that only the process itself knows. */
export interface InstallationDeps {
  version: string;
  /** URL of the installation's namespace on Temporal's web page; null when it is not configured. */
  temporalUrl: string | null;
  /** Folders by the names under which they are shown. */
  folders: Readonly<Record<string, string>>;
  selectionUrls: readonly string[];
}

export interface CabinetDeps {
  pool: pg.Pool;
  /** Compiles a schema for elements that are validated one by one (api/http/batchElements.ts). */
  validators: CompileValidator;
  /** Encrypts a signing secret bound to its context (domain/accounts/secretKeys.ts). */
  encryptWebhookSecret(secret: string, context: string): Buffer;
  /** Encrypts the secret with which a site proves its users. */
  encryptIdentitySecret(secret: string, siteId: string): Buffer;
  checkWebhookUrl: CheckWebhookUrl;
  /** Prices of models; null when none are configured. */
  prices: Prices | null;
  /** The installation's own origin. */
  publicUrl: string;
  passwords: PasswordHasher;
  /** The store of finished uploads, and the folder for unfinished ones. */
  blobs: BlobStore;
  workDir: string;
  checkLoginLimit: CheckLoginLimit;
  devices: DeviceCookies;
  /** Writes an entry to the audit trail. Never throws. */
  audit(entry: AuditEntry): Promise<void>;
  /** Converts and logs an error like the error of a request, for errors that are part of a response. */
  toHttpError(error: unknown, requestId: string): HttpError;
  secondFactors: SecondFactors;
  /** Null when this process runs no reports. */
  reports: Reports | null;
  exportLinks: ExportLinks;
  mapLinks: MapLinks;
  /** The derived key `deletion-ledger` (domain/accounts/secretKeys.ts). */
  ledgerKey: Buffer;
  preview: Preview;
  findPlace: FindPlace;
  /** Returns the URL of a stored frame. */
  frameUrl(blobKey: string): string;
  /** Returns the URL under which this service streams a medium of an item. */
  originalUrl(medium: MediumPosition): string;
  installation: InstallationDeps;
  describe(): object;
}

export const define = definer<CabinetCaller, CabinetDeps>();
export const definePublic = definer<null, CabinetDeps>();

export const PROJECT_ID = Type.String({ pattern: '^[a-z0-9]{12}$', examples: ['a1b2c3d4e5f6'] });
export const UUID = Type.String({
  pattern: `^${UUID_PATTERN}$`,
  examples: ['019a9d3c-52a1-7c3e-9f00-3b1f0a6b2c11'],
});
/** Accepted in either case, as sites send and print it; stored in lower case. */
export const VISITOR_ID = Type.String({
  pattern: `^${UUID_IN_ANY_CASE}$`,
  examples: ['019a9d3c-52a1-7c3e-9f00-3b1f0a6b2c11'],
});

export const ProjectPath = strictObject({ id: PROJECT_ID });
/** Any item id, including those that the paths of the content API do not accept. */
export const ProjectItemPath = strictObject({
  id: PROJECT_ID,
  item: text(ID_MAX_LENGTH, {
    minLength: 1,
    description: 'Любой идентификатор объекта, в кодировке URL',
    examples: ['lesson-42'],
  }),
});
export const WebhookPath = strictObject({ id: PROJECT_ID, wid: UUID });

/** Ids of sites have the same form as those of projects. */
export const SITE_ID = PROJECT_ID;
export const SitePath = strictObject({ id: SITE_ID });
export const SiteKeyPath = strictObject({ id: SITE_ID, key_id: UUID });

/** Returns the schema of a page of a list: `next_cursor` is null on the last one. */
export function pageOf<S extends TSchema>(element: S, title: string) {
  return Type.Object(
    {
      items: Type.Array(element),
      next_cursor: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
    },
    { title },
  );
}

export type PageOf<S extends TSchema> = { items: Static<S>[]; next_cursor: string | null };
