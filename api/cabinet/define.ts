/** What the operations of the cabinet work with, and the forms that they share. */
import type pg from 'pg';
import Type from 'typebox';
import type { AuditEntry } from '../../db/auditLog.ts';
import type { BlobStore } from '../../blobs/store.ts';
import type { ExportLinks } from '../../domain/exportLinks.ts';
import type { PasswordHasher } from '../../process/passwordHasher.ts';
import type { CabinetCaller } from '../auth/cabinet.ts';
import type { DeviceCookies } from '../auth/deviceCookie.ts';
import type { CheckLoginLimit } from '../auth/loginLimit.ts';
import type { SecondFactors } from '../auth/secondFactor.ts';
import type { Preview } from '../content/preview.ts';
import { definer } from '../http/operation.ts';
import { strictObject, type Static, type TSchema } from '../../schemas/schema.ts';
import type { CompileValidator } from '../../schemas/validation.ts';
import type { Reports } from '../reports/runReport.ts';
import type { JudgeWebhookUrl } from './webhookUrl.ts';

export interface CabinetDeps {
  pool: pg.Pool;
  /** Compiles a schema for elements that are judged one by one (api/http/elements.ts). */
  validators: CompileValidator;
  /** Encrypts a signing secret for the place that it is stored at (domain/secretKeys.ts). */
  encryptWebhookSecret(secret: string, place: string): Buffer;
  /** Encrypts the secret with which a site proves its users. */
  encryptIdentitySecret(secret: string, siteId: string): Buffer;
  judgeWebhookUrl: JudgeWebhookUrl;
  /** The installation's own origin. */
  publicUrl: string;
  passwords: PasswordHasher;
  /** Where uploads end up, and where they lie until then. */
  blobs: BlobStore;
  workDir: string;
  checkLoginLimit: CheckLoginLimit;
  devices: DeviceCookies;
  /** Writes an entry of the trail of changes. It does not throw. */
  audit(entry: AuditEntry): Promise<void>;
  secondFactors: SecondFactors;
  /** Null: this process runs no reports. */
  reports: Reports | null;
  exportLinks: ExportLinks;
  /** The derived key `deletion-ledger` (domain/secretKeys.ts). */
  ledgerKey: Buffer;
  preview: Preview;
  describe(): object;
}

export const define = definer<CabinetCaller, CabinetDeps>();
export const definePublic = definer<null, CabinetDeps>();

export const PROJECT_ID = Type.String({ pattern: '^[a-z0-9]{12}$', examples: ['a1b2c3d4e5f6'] });
export const UUID = Type.String({
  pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
  examples: ['019a9d3c-52a1-7c3e-9f00-3b1f0a6b2c11'],
});
/** As sites send and print it, in letters of either case; it is kept in small ones. */
export const VISITOR_ID = Type.String({
  pattern: '^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$',
  examples: ['019a9d3c-52a1-7c3e-9f00-3b1f0a6b2c11'],
});

export const ProjectPath = strictObject({ id: PROJECT_ID });
export const WebhookPath = strictObject({ id: PROJECT_ID, wid: UUID });

/** A page of a list: `next_cursor` is null on the last one. */
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
