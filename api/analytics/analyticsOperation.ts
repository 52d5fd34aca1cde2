/**
 * Dependencies of the analytics API's operations, and the schemas that they share. The rules of the whole API, such as
 * the maximum size of a body, are in api/analyticsApi.ts.
 */
import type pg from 'pg';
import Type from 'typebox';
import { ID_MAX_LENGTH } from '../../domain/idLength.ts';
import type { OnKeysLost } from '../../db/sitePeople/storeServerData.ts';
import type { Logger } from '../../platform/process/logger.ts';
import type { SiteCaller } from '../auth/siteKey.ts';
import type { CheckHealth } from '../http/operations/cachedHealthCheck.ts';
import { definer } from '../http/operations/operation.ts';
import type { Reports } from '../reports/runForClient.ts';
import { FAULT_CODES, text } from '../../domain/schemas/schema.ts';
import type { CompileValidator } from '../../domain/schemas/validation.ts';
import { UUID_IN_ANY_CASE } from '../../domain/uuid.ts';

export interface AnalyticsDeps {
  pool: pg.Pool;
  logger: Logger;
  /** The derived key `contact-hashes` (domain/people/contactHashes.ts). */
  contactKey: Buffer;
  checkHealth: CheckHealth;
  validators: CompileValidator;
  /** Null when this process runs no reports. */
  reports: Reports | null;
  /** The OpenAPI document of this API. */
  describe(): object;
}

export const define = definer<SiteCaller, AnalyticsDeps>();

/** Notes in the log that keys of params could not be recorded, as the ingest does for those of the tag. */
export function logLostKeys(logger: Logger, requestId: string): OnKeysLost {
  return (error) =>
    logger.debug(
      { err: error, requestId },
      'could not store the keys of params; the next record with them tries again',
    );
}

/** Stored in lower case. */
const UUID = `^${UUID_IN_ANY_CASE}$`;
const VISITOR_ID = 'Visitor: the value of the cookie _svc_a, a UUID';

export const visitorId = Type.String({
  pattern: UUID,
  description: VISITOR_ID,
  examples: ['6f1c2a7e-0b5d-4c55-9d0e-8a3f2b1c4d5e'],
});
export const userId = text(ID_MAX_LENGTH, { minLength: 1, description: 'Id of the user on the site' });
export const fingerprintUuid = Type.String({
  pattern: UUID,
  description: 'Device id of a fingerprint service; counts only if that service is connected to the site',
});

/** Returns the schema of a time. Every fault in it is `invalid_value`, since the API document defines no other code. */
export function timestamp(description: string): ReturnType<typeof Type.String> {
  return Type.String({ format: 'date-time', [FAULT_CODES]: { format: 'invalid_value' }, description });
}
