/**
 * Access rules of the cabinet. They follow from the path and the method of an operation, so that a new one is safe by
 * default; an operation with other rules has an `access` field.
 *
 * - Under /projects/{id} and /sites/{id}: reading requires a viewer, everything else an owner, and the project or site
 *   must be within the caller's scope. One outside it is 404, like one that does not exist.
 * - Everything else requires an admin.
 */
import { covers, isAtLeast, type Role, type Scope, type TenantKind } from '../../domain/accounts/roles.ts';
import { notFound } from '../http/errors.ts';
import type { AnyOperation } from '../http/operations/operation.ts';

type Routed = Pick<AnyOperation, 'method' | 'path' | 'access'>;

/** Returns the lowest role that an operation requires. */
export function requiredRoleOf(operation: Routed): Role {
  if (operation.access) return operation.access;
  if (tenantKindOf(operation.path) === null) return 'admin';
  return operation.method === 'get' ? 'viewer' : 'owner';
}

/** Returns false when the operation requires more than the role. */
export function isRoleEnough(role: Role, operation: Routed): boolean {
  return isAtLeast(role, requiredRoleOf(operation));
}

/** @throws {HttpError} 404 when the project or site of the path is not within the scope */
export function requireScope(scope: Scope | null, operation: Routed, params: unknown): void {
  const kind = tenantKindOf(operation.path);
  if (kind === null) return;
  const { id } = params as { id?: unknown };
  if (typeof id !== 'string' || !covers(scope, kind, id)) throw notFound();
}

/** Returns the kind of tenant that the path belongs to; null for the installation. */
function tenantKindOf(path: string): TenantKind | null {
  const [, kind] = /^\/(projects|sites)\/\{id\}(?:\/|$)/.exec(path) ?? [];
  return kind === 'projects' || kind === 'sites' ? kind : null;
}
