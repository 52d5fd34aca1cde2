/** Finds the moments of media that a query means, for items whose moments have none of its words. */
import type { Queryable } from '../../../db/pool.ts';
import { readPlacedMoments, type MomentVector } from '../../../db/search/momentVectors.ts';
import { cosine, storedVector } from '../../../domain/output/vectors.ts';
import type { SentMeaning } from '../../messages/searchMessages.ts';

export interface MomentsWanted {
  projectId: string;
  ids: readonly string[];
  /** The query's vector and its model; null without meaning. */
  meaning: SentMeaning | null;
  model: string | null;
}

/** Returns for each item the moment nearest to the query; items without a similar one are missing. */
export async function readMeantMoments(
  pool: Queryable,
  { projectId, ids, meaning, model }: MomentsWanted,
): Promise<Map<string, MomentVector>> {
  if (meaning === null || model === null) return new Map();
  const query = storedVector(Int8Array.from(Buffer.from(meaning.vector, 'base64')), model);
  const nearest = new Map<string, { moment: MomentVector; likeness: number }>();
  for (const moment of await readPlacedMoments(pool, projectId, { ids, model })) {
    const likeness = cosine(moment.placed, query);
    const best = nearest.get(moment.itemId)?.likeness ?? -Infinity;
    if (likeness >= meaning.threshold && likeness > best) nearest.set(moment.itemId, { moment, likeness });
  }
  return new Map(Array.from(nearest, ([id, { moment }]) => [id, moment]));
}
