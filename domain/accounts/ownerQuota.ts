import type { TenantKind } from './roles.ts';

/**
 * Maximum number of projects and sites of one owner, unless an admin sets another number of sites. Constraints of the
 * users table say the same (migrations 0019, 0033).
 */
export const OWNER_QUOTA: Readonly<Record<TenantKind, number>> = { projects: 200, sites: 30 };
