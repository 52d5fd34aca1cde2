/**
 * Reads the pinned items of a request that the rules allow, from the request itself and its surface
 * (api/content/output/applySurfaceDefaults.ts). domain/output/page/pinsAndAuthors.ts places them.
 */
import type { KeepAllowed } from '../candidates/allowedCandidates.ts';
import type { PinnedFinalist } from './arrangePage.ts';
import type { NamedPath } from '../request/pathsAndDefaults.ts';
import type { OutputRequest } from '../request/outputRequest.ts';

/**
 * Checks pins like any other item. For an item that is pinned twice the first pin counts; an unknown item is left out.
 * @throws when the database does not answer
 */
export async function readPinned(
  { pins }: OutputRequest<NamedPath>,
  keepAllowed: KeepAllowed,
  shown: ReadonlySet<string>,
): Promise<PinnedFinalist[]> {
  const positions = new Map(pins.toReversed().map(({ item, position }) => [item, position]));
  const ids = [...new Set(pins.map(({ item }) => item))].filter((id) => !shown.has(id));
  if (ids.length === 0) return [];
  const candidates = ids.map((id) => ({ id, score: 0, reason: { code: 'pinned' as const } }));
  const finalists = await keepAllowed(candidates);
  return finalists.map((finalist) => ({ finalist, position: positions.get(finalist.id) ?? 0 }));
}
