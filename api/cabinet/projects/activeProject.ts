/**
 * Refuses work that costs analysis or training when a user of the cabinet requests it for a stopped project. The keys
 * of such a project are refused too. Reading, settings and deletion stay possible.
 */
import { isProjectActive } from '../../../db/activeProject.ts';
import type { Queryable } from '../../../db/pool.ts';
import { forbidden, notFound } from '../../http/errors.ts';

/** @throws {HttpError} 404 for a project that does not exist, 403 for one that is suspended or archived */
export async function requireActiveProject(pool: Queryable, id: string): Promise<void> {
  const isActive = await isProjectActive(pool, id);
  if (isActive === null) throw notFound();
  if (!isActive) throw forbidden();
}
