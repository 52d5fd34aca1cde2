/** Changes of step states, and the item status and event that follow from them. */
import { isDeepStrictEqual } from 'node:util';
import type pg from 'pg';
import { nextDeferralMs } from '../../domain/analysis/deferral.ts';
import { statusFromSteps } from '../../domain/items/status.ts';
import {
  isFinished,
  isMediaStep,
  SHOWN_STEPS,
  statesOf,
  type StepError,
  type StepRecord,
  type StepRecords,
} from '../../domain/analysis/steps.ts';
import { recordItemEvent } from '../webhooks/deliveries/recordItemEvent.ts';
import { readWebhookItem } from '../webhooks/deliveries/webhookItem.ts';
import { announcedEvent } from '../../domain/webhooks/announcedEvent.ts';
import type { StepWork } from '../../domain/jobs/workflowMessages.ts';
import { inTransaction, together, type Queryable } from '../pool.ts';
import { deleteDrafts } from './drafts.ts';
import { deleteStepResults } from './results/deleteResults.ts';
import { lockForResult, lockForResults, type AnalysedItem } from './results/fence.ts';
import { failRemainingMedia, remainingMedia } from './mediaSteps.ts';
import { closeTextReservation } from './reserveVolumeOrWait.ts';

/**
 * Marks a step as running. False when it is outdated or has ended, or the item was deleted; there is nothing to do
 * then.
 */
export async function startStep(pool: Queryable, ref: StepWork): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'step-start',
    text: `update items set steps = jsonb_set(jsonb_set(steps, array[$3, 'state'], '"running"'), array[$3, 'retryAt'], 'null'),
                  status = 'processing',
                  updated_at = case when status = 'processing' then updated_at else clock_timestamp() end
            where project_id = $1 and id = $2 and not deleted
              and (steps -> $3 ->> 'revision')::bigint = $4
              and steps -> $3 ->> 'state' in ('queued', 'running', 'deferred')`,
    values: [ref.projectId, ref.itemId, ref.step, ref.revision],
  });
  return rowCount === 1;
}

export interface StepOutcome {
  state: 'done' | 'skipped' | 'failed';
  error: StepError | null;
  /** The model that computed the result, if any. */
  model?: string;
  /**
   * Whether vectors exist after the step; unset if the step does not change it. A failed or skipped embedding has
   * none.
   */
  hasVectors?: boolean;
}

/** Returns the outcome of a step that is done, with the model that computed it. */
export function doneBy(model: string | null): StepOutcome {
  return { state: 'done', error: null, ...(model !== null && { model }) };
}

/** The end of a step: its outcome, and the function that stores its results. */
export interface StepEnd {
  work: StepWork;
  outcome: StepOutcome;
  write: (client: pg.PoolClient) => Promise<void>;
}

/**
 * Ends a step together with its results. Each result gets the step's revision from a trigger (migration 0038).
 * @param write stores the results inside the same transaction
 * @returns the item's steps afterwards, or null when the result was outdated and nothing was stored
 */
export function completeStep(
  pool: pg.Pool,
  work: StepWork,
  outcome: StepOutcome,
  write: StepEnd['write'] = async () => {},
): Promise<StepRecords | null> {
  return completeSteps(pool, [{ work, outcome, write }]);
}

export interface EndOptions {
  /** Settles the records of other steps at the same time. */
  settle?: (item: AnalysedItem) => StepRecords;
  /** Stores more in the same transaction, together with the results. */
  alsoWrite?: StepEnd['write'];
  /**
   * Counts the analysis volume of the text, after everything else; by default `closeTextReservation`. A throw undoes all of it.
   */
  count?: typeof closeTextReservation;
}

/**
 * Ends several steps of one item at once. Their results are stored at the same time, so none may depend on another's.
 * @returns the item's steps afterwards, or null when one of the results was outdated and nothing was stored
 */
export function completeSteps(
  pool: pg.Pool,
  ends: readonly StepEnd[],
  { settle = ({ steps }) => steps, alsoWrite = async () => {}, count = closeTextReservation }: EndOptions = {},
): Promise<StepRecords | null> {
  return inTransaction(pool, async (client) => {
    const locked = await lockForResults(
      client,
      ends.map(({ work }) => work),
    );
    if (!locked) return null;
    const cleared = await withoutOldResults(client, { ...locked, steps: settle(locked) }, ends);
    await together([...ends.map(({ write }) => write(client)), alsoWrite(client)]);
    const item = ends.reduce(withEnd, cleared);
    const steps = await saveSteps(client, { ...item, steps: locked.steps }, item.steps);
    await count(client, item, steps);
    return steps;
  });
}

/** Removes what older runs of the steps that are not done have stored. */
async function withoutOldResults(
  client: pg.PoolClient,
  item: AnalysedItem,
  ends: readonly StepEnd[],
): Promise<AnalysedItem> {
  let cleared = item;
  for (const { work, outcome } of ends)
    if (outcome.state !== 'done') cleared = await withoutResults(client, cleared, work);
  return cleared;
}

function withEnd(item: AnalysedItem, { work, outcome }: StepEnd): AnalysedItem {
  const record = {
    ...item.steps[work.step],
    state: outcome.state,
    retryAt: null,
    error: outcome.error,
    ...(outcome.model !== undefined && { model: outcome.model }),
  };
  return {
    ...item,
    hasVectors: outcome.hasVectors ?? item.hasVectors,
    steps: { ...item.steps, [work.step]: record },
  };
}

/** Removes what an older run of the step stored, so that it is not shown for a step that is not done. */
async function withoutResults(client: pg.PoolClient, item: AnalysedItem, ref: StepWork): Promise<AnalysedItem> {
  return { ...item, ...(await deleteStepResults(client, ref)) };
}

/**
 * Defers a step by the deferral schedule. When the schedule is exhausted, the step fails for every medium that still
 * needs it. A repeated call for the same failure (after a lost reply) counts once. A step that no medium needs any more,
 * because the one that failed was removed meanwhile, is left to the next plan, which ends it.
 * @returns the steps and the milliseconds until the next try (null: failed), or null when outdated
 */
export function deferStep(
  pool: pg.Pool,
  ref: StepWork,
  error: StepError,
): Promise<{ steps: StepRecords; waitMs: number | null } | null> {
  return inTransaction(pool, async (client) => {
    const item = await lockForResult(client, ref, ref.step, ref.revision);
    if (!item) return null;
    const { step } = ref;
    if (isMediaStep(step) && (await remainingMedia(client, { ...ref, step })).length === 0) return null;
    const before = item.steps[step];
    const leftMs = Date.parse(before.retryAt ?? '') - item.now.getTime();
    if (before.state === 'deferred' && leftMs > 0) return { steps: item.steps, waitMs: leftMs };
    const waitMs = nextDeferralMs(before.deferrals);
    if (waitMs === null) return { steps: await giveUp(client, item, ref, error), waitMs };
    const record = deferredRecord(before, waitMs, error, item.now);
    return { steps: await saveSteps(client, item, { ...item.steps, [ref.step]: record }), waitMs };
  });
}

/** Fails a step whose deferral schedule is exhausted. */
async function giveUp(
  client: pg.PoolClient,
  item: AnalysedItem,
  ref: StepWork,
  error: StepError,
): Promise<StepRecords> {
  const { step } = ref;
  await deleteDrafts(client, ref);
  if (isMediaStep(step)) await failRemainingMedia(client, { ...ref, step }, error);
  const cleared = await withoutResults(client, item, ref);
  const record: StepRecord = { ...item.steps[step], state: 'failed', retryAt: null, error };
  const steps = await saveSteps(client, cleared, { ...item.steps, [step]: record });
  await closeTextReservation(client, item, steps);
  return steps;
}

function deferredRecord(before: StepRecord, waitMs: number, error: StepError, now: Date): StepRecord {
  return {
    ...before,
    state: 'deferred',
    deferrals: before.deferrals + 1,
    retryAt: new Date(now.getTime() + waitMs).toISOString(),
    error,
  };
}

/**
 * Stores step records with the item status that follows from them, and announces a status that became final. When a
 * step ends whose results the output API reads, the item counts as changed, even if its status stays the same. The
 * selection process follows such changes, so its totals agree with the results that the API checks
 * (docs/decisions/item-list.md). `client` must hold the item's lock.
 */
export async function saveSteps(client: pg.PoolClient, item: AnalysedItem, steps: StepRecords): Promise<StepRecords> {
  if (isDeepStrictEqual(steps, item.steps)) return steps;
  const status = statusFromSteps(statesOf(steps), item.hasVectors);
  const event = announcedEvent(item, status);
  const saved = client.query({
    name: 'steps-save',
    text: `update items set steps = $3, status = $4,
                  updated_at = case when status = $4 and not $5::boolean then updated_at else clock_timestamp() end
            where project_id = $1 and id = $2`,
    values: [item.projectId, item.itemId, steps, status, hasVisibleStepEnded(item.steps, steps)],
  });
  const [webhookItem] = await together([
    event === null ? null : readWebhookItem(client, item, status, statesOf(steps)),
    saved,
  ]);
  if (event !== null && webhookItem !== null) {
    const { projectId, itemId, requestId } = item;
    await recordItemEvent(client, { projectId, itemId, event, item: webhookItem, requestId });
  }
  return steps;
}

/** Returns true when a step whose results are shown has ended; one that does not apply to the item has no results. */
function hasVisibleStepEnded(before: StepRecords, after: StepRecords): boolean {
  return SHOWN_STEPS.some((step) => {
    const { state, error } = after[step];
    if (!isFinished(state) || (state === 'skipped' && error === null)) return false;
    return !isDeepStrictEqual(after[step], before[step]);
  });
}
