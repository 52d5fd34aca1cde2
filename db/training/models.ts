/** Models and their trainings (migrations/0073_output_models.sql): at most one training of a project at a time. */
import type pg from 'pg';
import {
  modelBlobFolder,
  modelBlobKey,
  trainingBlobFolder,
  type ModelKind,
  type ModelQuality,
  type ModelReason,
  type ModelState,
} from '../../domain/training/models.ts';
import { PRIORITY } from '../../domain/jobs/queues.ts';
import { closeJob, openJob } from '../jobs/jobs.ts';
import { inTransaction, type Queryable } from '../pool.ts';
import { selectPublished } from './currentModels.ts';

export interface StoredModel {
  id: string;
  kind: ModelKind;
  state: ModelState;
  reason: ModelReason | null;
  startedAt: Date;
  finishedAt: Date | null;
  /** Null until the training has read them. */
  events: number | null;
  items: number | null;
  people: number | null;
  /** Number of stored rows of events, of any type, when they were read. */
  rowsRead: number | null;
  quality: ModelQuality | null;
}

const COLUMNS = `id, kind, state, reason, started_at as "startedAt", finished_at as "finishedAt",
  events::float8 as events, items, people, rows_read::float8 as "rowsRead", quality`;

export interface ModelRef {
  projectId: string;
  modelId: string;
}

/** Opens a training with its job; null while another one of the project is in progress. */
export function openTraining(
  pool: pg.Pool,
  { projectId, kind, requestId }: { projectId: string; kind: ModelKind; requestId: string | null },
): Promise<StoredModel | null> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<StoredModel>(
      `insert into output_models (project_id, kind, request_id) values ($1, $2, $3)
       on conflict (project_id) where state = 'training' do nothing returning ${COLUMNS}`,
      [projectId, kind, requestId],
    );
    if (!rows[0]) return null;
    await openJob(client, { kind: 'training', projectId, entityId: rows[0].id, priority: PRIORITY.bulk, requestId });
    return rows[0];
  });
}

/** Returns models, newest first, after the one with the id `after`. */
export async function listModels(
  pool: Queryable,
  projectId: string,
  { after, limit }: { after: string | null; limit: number },
): Promise<StoredModel[]> {
  const { rows } = await pool.query<StoredModel>(
    `select ${COLUMNS} from output_models where project_id = $1 and ($2::uuid is null or id < $2::uuid) order by id desc limit $3`,
    [projectId, after, limit],
  );
  return rows;
}

export async function findModel(pool: Queryable, { projectId, modelId }: ModelRef): Promise<StoredModel | null> {
  const { rows } = await pool.query<StoredModel>(
    `select ${COLUMNS} from output_models where project_id = $1 and id = $2`,
    [projectId, modelId],
  );
  return rows[0] ?? null;
}

/** The published model, which the next trainings start from. */
export interface PublishedModel {
  id: string;
  kind: ModelKind;
  /** The key of its file (output/models/modelStore.ts). */
  blobKey: string;
  publishedAt: Date;
  /** When the events that it was trained on were read. */
  readAt: Date;
  /** Number of rows of events at that time. */
  rowsRead: number;
  events: number;
  items: number;
  people: number;
  quality: ModelQuality | null;
  /** Written by output/training, which is the only reader. */
  settings: unknown;
}

/** Returns the published model; null before the first one. */
export async function readPublishedModel(pool: Queryable, projectId: string): Promise<PublishedModel | null> {
  const { rows } = await pool.query<PublishedModel>({
    name: 'output-model-published',
    text: selectPublished(`id, kind, blob_key as "blobKey", finished_at as "publishedAt", read_at as "readAt",
      rows_read::float8 as "rowsRead", events::float8 as events, items, people, quality, settings`),
    values: [projectId],
  });
  return rows[0] ?? null;
}

export interface ReadEvents {
  events: number;
  items: number;
  people: number;
  rowsRead: number;
  readAt: Date;
}

/** Records the events from which a model is trained. */
export async function recordReadEvents(pool: Queryable, ref: ModelRef, read: ReadEvents): Promise<void> {
  await pool.query(
    `update output_models set events = $3, items = $4, people = $5, rows_read = $6, read_at = $7
      where project_id = $1 and id = $2 and state = 'training'`,
    [ref.projectId, ref.modelId, read.events, read.items, read.people, read.rowsRead, read.readAt],
  );
}

/** Records the settings of the training, and their quality ({@link ModelQuality}). */
export async function recordSettings(
  pool: Queryable,
  ref: ModelRef,
  { settings, quality }: { settings: object; quality: ModelQuality | null },
): Promise<void> {
  await pool.query(
    `update output_models set settings = $3, quality = $4 where project_id = $1 and id = $2 and state = 'training'`,
    [ref.projectId, ref.modelId, settings, quality],
  );
}

/** Returns the settings that {@link recordSettings} recorded; null before. */
export async function readSettings(pool: Queryable, { projectId, modelId }: ModelRef): Promise<unknown> {
  const { rows } = await pool.query<{ settings: unknown }>(
    'select settings from output_models where project_id = $1 and id = $2',
    [projectId, modelId],
  );
  return rows[0]?.settings ?? null;
}

/** SQL condition: the model belongs to a variant of an experiment that has not ended. */
const IS_ON_TRIAL = `exists (
  select from output_experiments e, jsonb_array_elements(e.variants) variant
   where e.project_id = m.project_id and e.detached_at is null and (e.ends_at is null or e.ends_at > now())
     and variant -> 'settings' ->> 'model' = m.id::text)`;

/** Keeps the replaced file for selection processes that are reading it now. */
const REPLACED_SECONDS = 3_600;

/**
 * Publishes a model whose file is stored: ends its training, deletes the rows of output_forgotten that it took into
 * account, and gives up the files of earlier models. Models that an experiment names stay, unless a person was deleted,
 * whom an older file may contain. A model that is already published stays so.
 * @param forgotten the rows of output_forgotten that the training had read
 */
export async function publishModel(
  pool: pg.Pool,
  ref: ModelRef,
  { forgotten }: { forgotten: readonly string[] },
): Promise<void> {
  const { projectId, modelId } = ref;
  await inTransaction(pool, async (client) => {
    // Waits for an experiment that is being stored (db/output/surfaces.ts), so that the statements below see it.
    await client.query('select from projects where id = $1 for no key update', [projectId]);
    const { rowCount } = await client.query(
      `update output_models set state = 'published', finished_at = clock_timestamp(), blob_key = $3
        where project_id = $1 and id = $2 and state = 'training'`,
      [projectId, modelId, modelBlobKey(projectId, modelId)],
    );
    if (rowCount === 0) return;
    await replaceEarlier(client, ref, forgotten);
    await keepFolder(client, ref);
    await endTraining(client, ref);
  });
}

/**
 * Ends a training whose model is not worth publishing, in a project without a published one. The pairs of items ordered
 * together are then read from its stored file instead of an earlier one; if nothing is ordered together, no file is
 * kept. Treats the rows of output_forgotten as {@link publishModel} does.
 * @param forgotten the rows of output_forgotten that the training had read
 */
export async function rejectModel(
  pool: pg.Pool,
  ref: ModelRef,
  { reason, hasPairs, forgotten }: { reason: ModelReason; hasPairs: boolean; forgotten: readonly string[] },
): Promise<void> {
  const { projectId, modelId } = ref;
  await inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      `update output_models set state = 'rejected', reason = $3, finished_at = clock_timestamp(), blob_key = $4
        where project_id = $1 and id = $2 and state = 'training'`,
      [projectId, modelId, reason, hasPairs ? modelBlobKey(projectId, modelId) : null],
    );
    if (rowCount === 0) return;
    await replaceEarlier(client, ref, forgotten);
    if (hasPairs) await keepFolder(client, ref);
    else await discardFolders(client, projectId, [modelBlobFolder(projectId, modelId)], 0);
    await endTraining(client, ref);
  });
}

/** Deletes the rows of output_forgotten that a training took into account, and gives up the files of earlier ones. */
async function replaceEarlier(
  client: Queryable,
  { projectId, modelId }: ModelRef,
  forgotten: readonly string[],
): Promise<void> {
  const { rows: forgottenRows } = await client.query<{ deleted: boolean }>(
    'delete from output_forgotten where project_id = $1 and id = any($2::bigint[]) returning deleted',
    [projectId, forgotten],
  );
  const { rows } = await client.query<{ id: string }>(
    `update output_models m set blob_key = null
      where project_id = $1 and id <> $2 and blob_key is not null and ($3 or not ${IS_ON_TRIAL}) returning id`,
    [projectId, modelId, forgottenRows.some(({ deleted }) => deleted)],
  );
  const folders = rows.map(({ id }) => modelBlobFolder(projectId, id));
  await discardFolders(client, projectId, folders, REPLACED_SECONDS);
}

/** Takes the folder of a model out of the garbage: its row names the file now. */
async function keepFolder(client: Queryable, { projectId, modelId }: ModelRef): Promise<void> {
  await client.query('delete from blob_garbage where project_id = $1 and folder = $2', [
    projectId,
    modelBlobFolder(projectId, modelId),
  ]);
}

/** Ends a training without a model. One that has already ended stays as it is. */
export async function giveUpTraining(
  pool: pg.Pool,
  ref: ModelRef,
  { state, reason }: { state: 'rejected' | 'failed'; reason: ModelReason },
): Promise<void> {
  await inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      `update output_models set state = $3, reason = $4, finished_at = clock_timestamp()
        where project_id = $1 and id = $2 and state = 'training'`,
      [ref.projectId, ref.modelId, state, reason],
    );
    if (rowCount === 0) return;
    await discardFolders(client, ref.projectId, [modelBlobFolder(ref.projectId, ref.modelId)], 0);
    await endTraining(client, ref);
  });
}

async function endTraining(client: Queryable, { projectId, modelId }: ModelRef): Promise<void> {
  await discardFolders(client, projectId, [trainingBlobFolder(projectId, modelId)], 0);
  await closeJob(client, { kind: 'training', projectId, entityId: modelId });
}

async function discardFolders(
  client: Queryable,
  projectId: string,
  folders: readonly string[],
  seconds: number,
): Promise<void> {
  await client.query(
    `insert into blob_garbage (project_id, folder, after)
     select $1, folder, now() + $3::int * interval '1 second' from unnest($2::text[]) as folder
     on conflict (project_id, folder) do update set after = excluded.after`,
    [projectId, folders, seconds],
  );
}
