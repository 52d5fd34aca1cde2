/** Records sign-in attempts in the audit trail: they have no session yet, so nothing else records them. */
import type { AuditEntry } from '../../../db/accounts/auditLog.ts';
import { HttpError } from '../../http/errors.ts';
import type { CabinetDeps } from '../cabinetOperation.ts';

interface Attempt extends Pick<AuditEntry, 'operation' | 'actor' | 'ip' | 'requestId'> {
  userId: string;
}

/** Runs an attempt by a known user, and records its result. @throws the error of the attempt */
export async function auditSignIn(
  { audit }: Pick<CabinetDeps, 'audit'>,
  attempt: Attempt,
  work: () => Promise<void>,
): Promise<void> {
  const record = (status: number): Promise<void> =>
    audit({ ...attempt, tokenId: null, params: {}, fields: [], projectId: null, siteId: null, status });
  await work().catch(async (error: unknown) => {
    await record(error instanceof HttpError ? error.status : 500);
    throw error;
  });
  await record(200);
}
