/** Finds the moments of media that a query means, for items whose moments have none of its words. */
import { isStatementTimeout } from '../../../db/errors.ts';
import type { Queryable } from '../../../db/pool.ts';
import { readFrameVectors, readMomentVectors, type MomentVector } from '../../../db/search/momentVectors.ts';
import { cosine, storedVector, type ItemVector } from '../../../domain/output/vectors.ts';
import type { SentMeaning } from '../../messages/searchMessages.ts';

export interface MomentQuery {
  projectId: string;
  ids: readonly string[];
  /** The query's vector and its model; null if the search was by words alone. */
  meaning: SentMeaning | null;
  model: string | null;
}

/**
 * Returns for each item the moment nearest to the query; items without a similar one are missing. Frames of one medium
 * may share a vector, which decides whether they are similar; their own vectors then tell which of them is nearest.
 */
export async function readNearestMoments(
  pool: Queryable,
  { projectId, ids, meaning, model }: MomentQuery,
): Promise<Map<string, MomentVector>> {
  if (meaning === null || model === null) return new Map();
  const query = storedVector(Int8Array.from(Buffer.from(meaning.vector, 'base64')), model);
  const moments = await readMomentVectors(pool, projectId, { ids, model }).catch(noneOnTimeout);
  const nearest = nearestOfItems(moments, query, meaning.threshold);
  const media = [...nearest.values()].filter(({ isShared }) => isShared);
  const frames = await readFrameVectors(pool, projectId, { media, model }).catch(noneOnTimeout);
  return new Map([...nearest, ...nearestOfItems(frames, query, -Infinity)]);
}

/** After a statement timeout, an answer without these moments is better than none. */
function noneOnTimeout(error: unknown): MomentVector[] {
  if (isStatementTimeout(error)) return [];
  throw error;
}

function nearestOfItems(
  moments: readonly MomentVector[],
  query: ItemVector,
  minCosine: number,
): Map<string, MomentVector> {
  const nearest = new Map<string, { moment: MomentVector; likeness: number }>();
  for (const moment of moments) {
    const likeness = cosine(moment.vector, query);
    const best = nearest.get(moment.itemId)?.likeness ?? -Infinity;
    if (likeness >= minCosine && likeness > best) nearest.set(moment.itemId, { moment, likeness });
  }
  return new Map(Array.from(nearest, ([id, { moment }]) => [id, moment]));
}
