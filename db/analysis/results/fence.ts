/**
 * The fence of analysis results. Every store locks the item and continues only while the step still has the revision
 * that the result was computed from and is not finished; otherwise it does nothing. So when two attempts run at once,
 * the first to store wins.
 */
import type pg from 'pg';
import type { ItemOrigin } from '../../../domain/items/item.ts';
import {
  isFinished,
  withAllSteps,
  type ItemStatus,
  type ItemType,
  type Step,
  type StepRecord,
  type StepRecords,
} from '../../../domain/analysis/steps.ts';
import type { Reservation } from '../../../domain/analysis/volume.ts';
import type { ItemRef } from '../../../domain/items/item.ts';
import { IS_SHORT_TEXT } from './shortTextSize.ts';

export interface AnalysedItem extends ItemRef {
  type: ItemType;
  origin: ItemOrigin;
  deleted: boolean;
  status: ItemStatus;
  steps: StepRecords;
  /** True when vectors of its texts or of its pictures are stored. */
  hasVectors: boolean;
  /** The item has text without media, short enough to be computed in milliseconds. */
  isShortText: boolean;
  requestId: string | null;
  /** Units of analysis volume that its unfinished steps have reserved. */
  reservations: Reservation[];
  /** The database's clock. Deferred steps wait by it, whatever the clock of a worker says. */
  now: Date;
}

/** Locks an item for a change of its steps; null when it does not exist or is deleted. */
export async function lockAnalysedItem(client: pg.PoolClient, ref: ItemRef): Promise<AnalysedItem | null> {
  const { rows } = await client.query<{
    type: ItemType;
    origin: ItemOrigin;
    deleted: boolean;
    status: ItemStatus;
    steps: Partial<StepRecords>;
    has_vectors: boolean;
    is_short_text: boolean;
    request_id: string | null;
    reservations: Reservation[];
    now: Date;
  }>({
    name: 'analysis-lock',
    text: `select type, origin, deleted, status, steps, request_id, clock_timestamp() as now,
                  exists (select 1 from item_chunks c where c.project_id = i.project_id and c.item_id = i.id)
                  or exists (select 1 from item_picture_vectors p where p.project_id = i.project_id and p.item_id = i.id) as has_vectors,
                  ${IS_SHORT_TEXT} as is_short_text,
                  coalesce((select jsonb_agg(jsonb_build_object('subject', r.subject, 'revision', r.revision, 'settled', r.settled))
                              from volume_reservations r where r.project_id = i.project_id and r.item_id = i.id), '[]') as reservations
             from items i where project_id = $1 and id = $2 for update`,
    values: [ref.projectId, ref.itemId],
  });
  const row = rows[0];
  if (!row || row.deleted) return null;
  const { steps, has_vectors: hasVectors, is_short_text: isShortText, request_id: requestId, ...rest } = row;
  return { ...ref, ...rest, steps: withAllSteps(steps), hasVectors, isShortText, requestId };
}

/** A step of an item at the revision that a result was computed from. */
export interface StepAtRevision extends ItemRef {
  step: Step;
  revision: number;
}

/** Locks an item for results of some of its steps; null when any of them is outdated or finished. */
export async function lockForResults(
  client: pg.PoolClient,
  steps: readonly StepAtRevision[],
): Promise<AnalysedItem | null> {
  const [ref] = steps;
  const item = ref ? await lockAnalysedItem(client, ref) : null;
  return item && steps.every(({ step, revision }) => isOpen(item.steps[step], revision)) ? item : null;
}

function isOpen(record: StepRecord, revision: number): boolean {
  return record.revision === revision && !isFinished(record.state);
}

/** Locks an item for a result of `step`; null when the result is outdated or the step is finished. */
export function lockForResult(
  client: pg.PoolClient,
  { projectId, itemId }: ItemRef,
  step: Step,
  revision: number,
): Promise<AnalysedItem | null> {
  return lockForResults(client, [{ projectId, itemId, step, revision }]);
}
