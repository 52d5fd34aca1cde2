/**
 * The plan of an item, which its workflow reads whenever something may have changed. The rules that need no database
 * are in domain/analysis: which steps apply and which may begin (plan.ts), and what a change outdates
 * (outdatedSteps.ts).
 */
import type pg from 'pg';
import { inapplicableSteps } from '../../domain/analysis/plan.ts';
import {
  isMediaStep,
  mapSteps,
  MEDIA_STEPS,
  type MediaStep,
  type MediaKind,
  type Step,
  type StepRecord,
  type StepRecords,
} from '../../domain/analysis/steps.ts';
import type { ItemPlan } from '../../domain/jobs/workflowMessages.ts';
import type { ItemRef } from '../../domain/items/item.ts';
import { inTransaction, together } from '../pool.ts';
import { releaseReservations } from './volume.ts';
import { lockAnalysedItem, type AnalysedItem } from './results/fence.ts';
import { saveSteps } from './steps.ts';
import { reserveUnitsOrWait } from './reserveVolumeOrWait.ts';

type MediumState = 'todo' | 'done' | 'skipped' | 'failed';

interface MediumRow extends Record<MediaStep, MediumState> {
  medium_id: string;
  kind: MediaKind;
  errors: Partial<Record<Step, { code: string; message: string }>>;
  models: Partial<Record<Step, string>>;
}

export interface PlanOptions {
  quickSteps?: readonly Step[];
  now?: Date;
}

/**
 * Reads what is left to do, and settles what needs no work:
 * - inapplicable steps are skipped;
 * - media steps with nothing left to do take the state that results from their media;
 * - steps that are marked as running but that no workflow runs are queued (`running` names the steps that the workflow
 * runs, with their revisions).
 *
 * Steps that could begin have their analysis volume reserved, or wait for it.
 * @param options.quickSteps the steps that take milliseconds for a short text with the configured providers
 * @param options.now decides the month whose volume is used; the database's clock by default
 * @returns null when the item does not exist or is deleted
 */
export function planItem(
  pool: pg.Pool,
  ref: ItemRef,
  running: Partial<Record<Step, number>>,
  { quickSteps = [], now }: PlanOptions = {},
): Promise<ItemPlan | null> {
  return inTransaction(pool, async (client) => {
    const [item, media] = await together([lockAnalysedItem(client, ref), readMediaStates(client, ref)]);
    if (!item) {
      await releaseReservations(client, ref);
      return null;
    }
    const counted = media.map((medium) => ({ ...medium, mediumId: medium.medium_id }));
    const quick = item.isShortText ? [...quickSteps] : [];
    const planned = await reserveUnitsOrWait(client, item, settle(item, media, running), counted, now ?? item.now);
    const steps = await saveSteps(client, item, planned);
    return {
      steps,
      todo: todoOf(media),
      media: media.map((medium) => medium.medium_id),
      retryInMs: retryInMs(steps, item.now),
      quick,
    };
  });
}

async function readMediaStates(client: pg.PoolClient, ref: ItemRef): Promise<MediumRow[]> {
  const { rows } = await client.query<MediumRow>({
    name: 'plan-media',
    text: `select medium_id, kind, ${MEDIA_STEPS.join(', ')}, errors, models from item_media
            where project_id = $1 and item_id = $2 order by position`,
    values: [ref.projectId, ref.itemId],
  });
  return rows;
}

function settle(
  item: Pick<AnalysedItem, 'type' | 'steps'>,
  media: readonly MediumRow[],
  running: Partial<Record<Step, number>>,
): StepRecords {
  const inapplicable = inapplicableSteps(
    item.type,
    media.map((medium) => medium.kind),
  );
  return mapSteps((step) => {
    const record = item.steps[step];
    if (inapplicable.has(step)) return ended(record, 'skipped', null);
    if (isMediaStep(step) && media.every((medium) => medium[step] !== 'todo'))
      return settledByMedia(record, step, media);
    if (record.state === 'running' && running[step] !== record.revision) return { ...record, state: 'queued' };
    return record;
  });
}

/** Returns the records of a text as `planItem` would settle them: no step on media applies to it, and none runs. */
export function settleText(item: Pick<AnalysedItem, 'steps'>): StepRecords {
  return settle({ type: 'text', steps: item.steps }, [], {});
}

function settledByMedia(record: StepRecord, step: MediaStep, media: readonly MediumRow[]): StepRecord {
  const failed = media.find((medium) => medium[step] === 'failed');
  if (failed) return ended(record, 'failed', failed.errors[step] ?? null);
  if (media.some((medium) => medium[step] === 'done'))
    return withModel(ended(record, 'done', null), modelOf(step, media));
  return ended(record, 'skipped', media.find((medium) => medium.errors[step])?.errors[step] ?? null);
}

/** Media that were analysed at different times may have different models; then the step has none. */
function modelOf(step: MediaStep, media: readonly MediumRow[]): string | null {
  const models = new Set(
    media.filter((medium) => medium[step] === 'done').map((medium) => medium.models[step] ?? null),
  );
  const [model] = models;
  return models.size === 1 ? (model ?? null) : null;
}

function withModel({ model: _model, ...record }: StepRecord, model: string | null): StepRecord {
  return model === null ? record : { ...record, model };
}

function ended(
  { units: _units, ...record }: StepRecord,
  state: 'done' | 'skipped' | 'failed',
  error: StepRecord['error'],
): StepRecord {
  return { ...record, state, retryAt: null, error };
}

function todoOf(media: readonly MediumRow[]): Record<MediaStep, string[]> {
  const withTodo = (step: MediaStep): string[] =>
    media.filter((medium) => medium[step] === 'todo').map((medium) => medium.medium_id);
  return Object.fromEntries(MEDIA_STEPS.map((step) => [step, withTodo(step)])) as Record<MediaStep, string[]>;
}

function retryInMs(steps: StepRecords, now: Date): Partial<Record<Step, number>> {
  const waits = Object.entries(steps)
    .filter(([, record]) => record.state === 'deferred' && record.retryAt !== null)
    .map(([step, record]) => [step, Math.max(0, Date.parse(record.retryAt ?? '') - now.getTime())]);
  return Object.fromEntries(waits) as Partial<Record<Step, number>>;
}
