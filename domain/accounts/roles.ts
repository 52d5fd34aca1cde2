/** Access control of the cabinet: roles, what they cover, and who may give which role and scope to others. */

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

/** The scope of a token of the installation with the role of an owner: it manages no viewers. */
const NOTHING: Scope = { projects: [], sites: [] };

/**
 * Returns the scope within which somebody manages users: everything (null) for an admin, their own for an owner, who
 * may give access only to what is theirs. db/accounts/accounts.ts has the same rule for users that exist (isManaged),
 * and db/accounts/invitations.ts for an invitation when it is accepted.
 */
export function managerOf({ role, scope }: { role: Role; scope: Scope | null }): Scope | null {
  return role === 'admin' ? null : (scope ?? NOTHING);
}

/** Returns true when somebody may give a role to others: an admin gives any, an owner only that of a viewer. */
export function mayGrant(own: Role, granted: Role): boolean {
  return own === 'admin' || (own === 'owner' && granted === 'viewer');
}
