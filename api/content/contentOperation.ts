/** Dependencies of the content API's operations. */
import type pg from 'pg';
import type { ProjectCaller } from '../auth/projectKey.ts';
import { definer } from '../http/operations/operation.ts';
import type { CompileValidator } from '../../domain/schemas/validation.ts';
import type { CheckHealth } from '../http/operations/cachedHealthCheck.ts';
import type { OutputDeps } from '../../output/serve/serveOutput.ts';

export interface ContentDeps {
  pool: pg.Pool;
  /** Compiles a schema for elements that are validated one by one (api/http/batchElements.ts). */
  validators: CompileValidator;
  /** Returns a link to a stored frame that needs no key and is valid for an hour. */
  frameUrl(blobKey: string): string;
  /** How long the ids of impressions are remembered, in days. */
  impressionIdDays: number;
  /** The derived key `deletion-ledger` (domain/accounts/secretKeys.ts). */
  ledgerKey: Buffer;
  checkHealth: CheckHealth;
  /** Answers requests for recommendations. */
  output: OutputDeps;
  /** The OpenAPI document of this API. */
  describe(): object;
}

export const define = definer<ProjectCaller, ContentDeps>();
