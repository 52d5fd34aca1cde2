/** The analysis volume of one item, in the transactions that plan and end its steps. */
import type pg from 'pg';
import type { StepRecords } from '../../domain/steps.ts';
import { distinctSubjects, missingSubjects, monthOf, reservationsOver, TEXT_SUBJECT, withWaiting, type CountedMedium } from '../../domain/volume.ts';
import { closeReservations, reserveUnits } from '../volume.ts';
import type { AnalysedItem } from './fence.ts';

/**
 * Gives up what the item holds for nothing and reserves what its next steps need: for all of them, or
 * they wait. `client` must hold the item's lock.
 * @param now decides the month
 * @returns the steps, those that have to wait among them
 */
export async function holdUnits(client: pg.PoolClient, item: AnalysedItem, steps: StepRecords, media: readonly CountedMedium[], now: Date): Promise<StepRecords> {
  await closeReservations(client, item, reservationsOver(item.reservations, steps, media));
  const missing = missingSubjects(steps, media, item.reservations);
  if (missing.size === 0) return steps;
  const { granted, units } = await reserveUnits(client, item, distinctSubjects([...missing.values()].flat()), monthOf(now));
  return granted ? steps : withWaiting(steps, new Set(missing.keys()), units);
}

/**
 * Closes the text's reservation with the last step that reads it: no plan may follow. Those of media
 * are closed by the plan that follows their steps.
 */
export async function closeText(client: pg.PoolClient, item: AnalysedItem, steps: StepRecords): Promise<void> {
  const ofText = item.reservations.filter(({ subject }) => subject === TEXT_SUBJECT);
  await closeReservations(client, item, reservationsOver(ofText, steps, []));
}
