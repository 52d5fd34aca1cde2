/** Models that may rank. */
import type { Queryable } from '../pool.ts';

/** Those of the ids that name published models of the project. Nothing is trained yet, so none does. */
export async function readPublishedModels(
  _pool: Queryable,
  _projectId: string,
  _ids: readonly string[],
): Promise<ReadonlySet<string>> {
  return new Set();
}
