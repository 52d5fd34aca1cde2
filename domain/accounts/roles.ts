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

/** Returns true when a project or a site is within the scope. */
export function covers(scope: Scope | null, kind: TenantKind, id: string): boolean {
  return scope === null || scope[kind].includes(id);
}
