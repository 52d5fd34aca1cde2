/** Access control of the cabinet: roles, what they cover, and the minimum role of each operation. */

/** From least to most: may read; may work on their own projects and sites; runs the installation. */
export const ROLES = ['viewer', 'owner', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** The projects and sites that a user sees; null means all of the installation. */
export interface Scope {
  projects: readonly string[];
  sites: readonly string[];
}

/** Returns true when a role is at least the other. */
export function isAtLeast(role: Role, least: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(least);
}

export type TenantKind = keyof Scope;

/**
 * Maximum number of projects and sites of one owner, unless an admin sets another number of sites: constraints of the
 * table of users (migrations 0019, 0033).
 */
export const OWNER_QUOTA: Readonly<Record<TenantKind, number>> = { projects: 200, sites: 30 };

/** Returns true when a project or a site is within the scope. */
export function covers(scope: Scope | null, kind: TenantKind, id: string): boolean {
  return scope === null || scope[kind].includes(id);
}
