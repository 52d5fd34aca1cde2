/** The audit trail of changes through the cabinet: who, what, when, from where, and with which result. */
import type { AuditEntry } from '../../db/accounts/auditLog.ts';
import type { RecordedRequest } from '../http/operations/apiDefinition.ts';
import type { AnyOperation } from '../http/operations/operation.ts';
import type { CabinetCaller } from './cabinetAuthentication.ts';
import { isRecord } from '../../domain/isRecord.ts';

/** Read operations that use POST because their queries are too long for a URL. */
const READS = new Set([
  '/sites/{id}/reports',
  '/sites/{id}/reports/batch',
  '/sites/{id}/goals/try',
  '/projects/{id}/output/preview',
  '/projects/{id}/output/obstacles',
]);
/** Ids of people, which must not be stored here: some of these requests delete them. */
const PERSONAL = new Set(['user_id', 'visitor_id']);
const MAX_FIELDS = 50;

/** Returns true when an operation changes something. */
export function isAudited({ method, path }: Pick<AnyOperation, 'method' | 'path'>): boolean {
  return method !== 'get' && !READS.has(path);
}

/** Returns the log entry of a request. It contains only the names of the fields of the body. */
export function auditEntryOf({ caller, operation, params, body, ...rest }: RecordedRequest<CabinetCaller>): AuditEntry {
  const ids = Object.entries(params).filter(([name]) => !PERSONAL.has(name));
  const tenant = (kind: string): string | null =>
    operation.path.startsWith(`/${kind}/{id}`) ? (params['id'] ?? null) : null;
  return {
    ...rest,
    userId: caller.user?.id ?? null,
    tokenId: caller.tokenId,
    actor: caller.user?.email ?? caller.name,
    operation: operation.operationId,
    params: Object.fromEntries(ids),
    fields: fieldsOf(body),
    projectId: tenant('projects'),
    siteId: tenant('sites'),
  };
}

function fieldsOf(body: unknown): string[] {
  return isRecord(body) ? Object.keys(body).slice(0, MAX_FIELDS) : [];
}
