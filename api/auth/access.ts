/**
 * Who may do what in the cabinet. It follows from the path and the method of an operation, so that a
 * new one needs no thought to be safe; an `access` of its own says where it is different.
 *
 * - Under /projects/{id} and /sites/{id}: reading asks for a viewer, everything else for an owner, and
 *   the project or site must be within what the caller sees. One that is not is 404, like one that
 *   does not exist.
 * - Everything else asks for an admin.
 */
import { covers, isAtLeast, type Role, type Scope, type TenantKind } from '../../domain/roles.ts';
import { forbidden, notFound } from '../http/errors.ts';
import type { AnyOperation } from '../http/operation.ts';

type Routed = Pick<AnyOperation, 'method' | 'path' | 'access'>;

/** The least role that an operation asks for. */
export function leastRoleOf(operation: Routed): Role {
  if (operation.access) return operation.access;
  if (tenantKindOf(operation.path) === null) return 'admin';
  return operation.method === 'get' ? 'viewer' : 'owner';
}

/** @throws {HttpError} 403 when the operation asks for more than the role */
export function requireRole(role: Role, operation: Routed): void {
  if (!isAtLeast(role, leastRoleOf(operation))) throw forbidden();
}

/** @throws {HttpError} 404 when the project or site of the path is not within the scope */
export function requireScope(scope: Scope | null, operation: Routed, params: unknown): void {
  const kind = tenantKindOf(operation.path);
  if (kind === null) return;
  const { id } = params as { id?: unknown };
  if (typeof id !== 'string' || !covers(scope, kind, id)) throw notFound();
}

/** Whose path it is: a project's, a site's, or (null) the installation's. */
function tenantKindOf(path: string): TenantKind | null {
  const [, kind] = /^\/(projects|sites)\/\{id\}(?:\/|$)/.exec(path) ?? [];
  return kind === 'projects' || kind === 'sites' ? kind : null;
}
