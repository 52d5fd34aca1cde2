/** The filter of the audit trail, as stored in the address. */
import { limits } from '../apiLimits.ts';
import { oneOf, textOf } from '../searchValues.ts';
import { isUuid } from '../uuid.ts';

/** Days back from now. */
const PERIOD_DAYS = { day: 1, week: 7, month: 30 } as const;
export type AuditPeriod = keyof typeof PERIOD_DAYS;
export const AUDIT_PERIODS = Object.keys(PERIOD_DAYS) as AuditPeriod[];

export interface AuditFilter {
  project?: string | undefined;
  site?: string | undefined;
  /** User id. */
  user?: string | undefined;
  /** An operation as the API description names it. */
  operation?: string | undefined;
  period?: AuditPeriod | undefined;
}

const TENANT = /^[a-z0-9]{12}$/;
const DAY_MS = 86_400_000;

export function auditFilterOf({ project, site, user, operation, period }: Record<string, unknown>): AuditFilter {
  return {
    project: matching(TENANT, project),
    site: matching(TENANT, site),
    user: typeof user === 'string' && isUuid(user) ? user : undefined,
    operation: textOf(operation, limits.listAudit_operation),
    period: oneOf(AUDIT_PERIODS, period),
  };
}

const matching = (form: RegExp, value: unknown): string | undefined =>
  typeof value === 'string' && form.test(value) ? value : undefined;

/**
 * Returns the beginning of a period.
 * @param now epoch milliseconds
 */
export function momentOf(period: AuditPeriod, now: number): string {
  return new Date(now - PERIOD_DAYS[period] * DAY_MS).toISOString();
}
