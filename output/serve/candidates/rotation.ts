/** Rotation: items that a person was shown recently and did not open are moved down. */
import type { OutputPerson } from '../../../db/output/person/person.ts';
import { readSeenItems } from '../../../db/output/person/seen.ts';
import { readRecentlyShown } from '../../../db/output/snapshots.ts';
import type { Queryable } from '../../../db/pool.ts';
import type { OutputRequest } from '../request/outputRequest.ts';
import type { SnapshotWriter } from '../snapshots/snapshotWriter.ts';
import { HOUR_MS } from '../../../domain/timeUnits.ts';

/** Maximum number of hours that a request looks back. */
export const MAX_ROTATION_HOURS = 168;

/** Maximum number of lowered items in a question: those that were shown last. */
const MAX_LOWERED = 1_000;

export type Lowered = readonly (readonly [id: string, factor: number])[];

/**
 * Returns the factor of each item: half for one shown once, a third for one shown twice. This answer's own pages do not
 * count.
 * @throws when the database does not answer
 */
export async function readLowered(
  pool: Queryable,
  snapshots: SnapshotWriter,
  { projectId, rotationHours, position }: Pick<OutputRequest, 'projectId' | 'rotationHours' | 'position'>,
  person: Pick<OutputPerson, 'memberIds' | 'personalization'> | null,
): Promise<Lowered> {
  if (rotationHours === 0 || !person?.personalization) return [];
  const since = new Date(Date.now() - rotationHours * HOUR_MS);
  const own = position?.recommendationId ?? '';
  const waiting = snapshots.pendingForPerson(projectId, person.memberIds);
  const stored = await readRecentlyShown(pool, projectId, person.memberIds, since);
  // Pages that are being stored right now occur in both lists. The latest come first, and none is later than these.
  const pages = new Map([...waiting.toReversed(), ...stored].map((one) => [`${one.id} ${one.page}`, one]));
  const times = new Map<string, number>();
  for (const { id, itemIds } of pages.values())
    if (id !== own) for (const item of itemIds) times.set(item, (times.get(item) ?? 0) + 1);
  const shown = [...times.keys()].slice(0, MAX_LOWERED);
  const opened = await readSeenItems(pool, projectId, person.memberIds, shown);
  return shown.filter((id) => !opened.has(id)).map((id) => [id, 1 / (1 + (times.get(id) ?? 0))]);
}
