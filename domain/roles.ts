/** Who may do what in the cabinet: roles, what they cover, and the least one that an operation asks for. */

/** From the least to the most: reads; works on what is his; runs the installation. */
export const ROLES = ['viewer', 'owner', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** The projects and sites that somebody sees; null stands for all of the installation. */
export interface Scope {
  projects: readonly string[];
  sites: readonly string[];
}

/** Whether a role is at least another. */
export function isAtLeast(role: Role, least: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(least);
}

export type TenantKind = keyof Scope;

/** So many projects and sites one owner may have, unless an admin gives him another number of sites: constraints of the table of users (migrations 0019, 0033). */
export const OWNER_QUOTA: Readonly<Record<TenantKind, number>> = { projects: 200, sites: 30 };

/** Whether a project or a site is within what somebody sees. */
export function covers(scope: Scope | null, kind: TenantKind, id: string): boolean {
  return scope === null || scope[kind].includes(id);
}

/** Whether everything of `inner` is within `outer`. */
export function includesScope(outer: Scope | null, inner: Scope): boolean {
  return (
    inner.projects.every((id) => covers(outer, 'projects', id)) && inner.sites.every((id) => covers(outer, 'sites', id))
  );
}
