/**
 * What is pinned in a request, as far as the rules allow it: by itself or by its surface (api/content/surfaceOfRequest.ts).
 * The places are given by domain/output/arrange.ts.
 */
import type { Judge } from './candidates.ts';
import type { PinnedFinalist } from './arranged.ts';
import type { NamedPath } from './paths.ts';
import type { OutputRequest } from './request.ts';

/**
 * Pins are judged as anything else is. Of an item that is pinned twice the first counts; one that the project does not
 * have is left out.
 * @throws when the database does not answer
 */
export async function readPinned(
  { pins }: OutputRequest<NamedPath>,
  judge: Judge,
  shown: ReadonlySet<string>,
): Promise<PinnedFinalist[]> {
  const positions = new Map(pins.toReversed().map(({ item, position }) => [item, position]));
  const ids = [...new Set(pins.map(({ item }) => item))].filter((id) => !shown.has(id));
  if (ids.length === 0) return [];
  const candidates = ids.map((id) => ({ id, score: 0, reason: { code: 'pinned' as const } }));
  const finalists = await judge(candidates);
  return finalists.map((finalist) => ({ finalist, position: positions.get(finalist.id) ?? 0 }));
}
