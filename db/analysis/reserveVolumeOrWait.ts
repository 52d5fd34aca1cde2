/** Reserves the analysis volume of one item, or lets its steps wait, inside the transactions that plan and end them. */
import type pg from 'pg';
import { COUNTED_MEDIA_STEPS, isFinished, STEPS, type StepRecords } from '../../domain/analysis/steps.ts';
import {
  distinctSubjects,
  missingSubjects,
  monthOf,
  endedReservations,
  TEXT_SUBJECT,
  withWaiting,
  type CountedMedium,
} from '../../domain/analysis/volume.ts';
import type { ItemRef } from '../../domain/items/item.ts';
import { inTransaction } from '../pool.ts';
import {
  closeReservations,
  listAbandoned,
  releaseReservations,
  reserveUnits,
  type ReservationCursor,
} from './volume.ts';
import { lockAnalysedItem, type AnalysedItem } from './results/fence.ts';

/**
 * Releases units that the item no longer needs and reserves those of its next steps. Either all of these steps get
 * their units, or they wait. `client` must hold the item's lock.
 * @param now decides the month
 * @returns the steps, including those that have to wait
 */
export async function reserveUnitsOrWait(
  client: pg.PoolClient,
  item: AnalysedItem,
  steps: StepRecords,
  media: readonly CountedMedium[],
  now: Date,
): Promise<StepRecords> {
  await closeReservations(client, item, endedReservations(item.reservations, steps, media));
  const missing = missingSubjects(steps, media, item.reservations);
  if (missing.size === 0) return steps;
  const { granted, units } = await reserveUnits(
    client,
    item,
    distinctSubjects([...missing.values()].flat()),
    monthOf(now),
  );
  return granted ? steps : withWaiting(steps, new Set(missing.keys()), units);
}

/**
 * Closes the reservation of the text when the last step that reads it ends, because no plan may follow. Reservations of
 * media are closed by the plan that follows their steps.
 */
export async function closeTextReservation(
  client: pg.PoolClient,
  item: AnalysedItem,
  steps: StepRecords,
): Promise<void> {
  const ofText = item.reservations.filter(({ subject }) => subject === TEXT_SUBJECT);
  await closeReservations(client, item, endedReservations(ofText, steps, []));
}

/**
 * Releases reservations of items that are deleted or finished and whose closing plan never ran. Looks at the next
 * `limit` reservations after the given one.
 * @returns how many items were closed, and where to continue (null: from the beginning)
 */
export async function closeAbandoned(
  pool: pg.Pool,
  after: ReservationCursor | null,
  limit: number,
): Promise<{ closed: number; last: ReservationCursor | null }> {
  const { items, last } = await listAbandoned(pool, after, limit);
  const refs = new Map(items.map((ref) => [`${ref.projectId}\0${ref.itemId}`, ref]));
  for (const ref of refs.values()) await inTransaction(pool, (client) => closeAll(client, ref));
  return { closed: refs.size, last };
}

/** The item may have been restored in the meantime, so it is checked again under its lock. */
async function closeAll(client: pg.PoolClient, ref: ItemRef): Promise<void> {
  const item = await lockAnalysedItem(client, ref);
  if (!item) return releaseReservations(client, ref);
  if (!STEPS.every((step) => isFinished(item.steps[step].state))) return;
  await closeReservations(
    client,
    item,
    endedReservations(item.reservations, item.steps, await readCountedMedia(client, ref)),
  );
}

async function readCountedMedia(client: pg.PoolClient, { projectId, itemId }: ItemRef): Promise<CountedMedium[]> {
  const { rows } = await client.query<CountedMedium>({
    name: 'volume-media',
    text: `select medium_id as "mediumId", ${COUNTED_MEDIA_STEPS.join(', ')} from item_media where project_id = $1 and item_id = $2`,
    values: [projectId, itemId],
  });
  return rows;
}
