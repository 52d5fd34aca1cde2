/**
 * What the keys of a stopped project may not do, a user of the cabinet may not do for them either: work that costs
 * analysis or training. Reading, settings and deletion stay possible.
 */
import { isProjectActive } from '../../../db/accounts/activeProject.ts';
import type { Queryable } from '../../../db/pool.ts';
import { forbidden, notFound } from '../../http/errors.ts';

/** @throws {HttpError} 404 for a project that does not exist, 403 for one that is suspended or archived */
export async function requireActiveProject(pool: Queryable, id: string): Promise<void> {
  const isActive = await isProjectActive(pool, id);
  if (isActive === null) throw notFound();
  if (!isActive) throw forbidden();
}
