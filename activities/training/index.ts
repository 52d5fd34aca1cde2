/**
 * The activities on the queue `training`. Each stores its result in the blob store, so that another worker can continue
 * from there.
 */
import { join } from 'node:path';
import { Context } from '@temporalio/activity';
import { announceBlobs } from '../../db/blobGarbage.ts';
import { storeCompanions } from '../../db/training/companions.ts';
import {
  findModel,
  giveUpTraining,
  recordReadEvents,
  recordSettings,
  publishModel,
  readPublishedModel,
  readSettings,
  rejectModel,
  type StoredModel,
} from '../../db/training/models.ts';
import { modelBlobFolder, modelBlobKey, trainingBlobFolder, type ModelReason } from '../../domain/training/models.ts';
import {
  rangesOf,
  SOLVED_PARTS,
  type ColumnRange,
  type SolvedPart,
  type ColumnsToSolve,
  type TrainingRead,
  type TrainingRef,
  type TrainingVerdict,
} from '../../domain/training/trainingMessages.ts';
import type { TrainingSettings } from '../../output/training/evaluate/hyperparameters.ts';
import { withWorkFolder } from '../../platform/disk/workDir.ts';
import { runChunk } from '../runChunk.ts';
import type { TrainingDeps } from './deps.ts';
import { readProjectEvents, sampleFor } from './readEvents.ts';
import { runTrainingStep } from './runTrainingStep.ts';

export type TrainingActivities = ReturnType<typeof createTrainingActivities>;

const DAY_SECONDS = 86_400;

export function createTrainingActivities(deps: TrainingDeps) {
  const step = <T>(work: () => Promise<T>): Promise<T> => runTrainingStep(deps.logger, work);
  return {
    /** @returns null when the training is over, or has no model to update */
    readEvents: (ref: TrainingRef): Promise<TrainingRead | null> => step(() => readEvents(deps, ref)),

    /** Selects the training settings, and decides whether the result is worth publishing. */
    chooseSettings: (ref: TrainingRef): Promise<TrainingVerdict> => step(() => chooseSettings(deps, ref)),

    /** Finds the columns that have changed; the model is trained with the settings of the published one. */
    planChanges: (ref: TrainingRef): Promise<ColumnsToSolve> => step(() => planChanges(deps, ref)),

    /** Solves some columns. Those that are already stored, by an attempt whose response was lost, are kept. */
    solveColumns: (ref: TrainingRef, range: ColumnRange, kind: TrainingRead['kind']): Promise<void> =>
      step(() => solveColumns(deps, ref, range, kind)),

    /** Publishes the model that the columns make up. */
    publish: (ref: TrainingRef, toSolve: ColumnsToSolve, kind: TrainingRead['kind']): Promise<void> =>
      step(() => publish(deps, ref, toSolve, kind)),

    /**
     * Ends the training without publishing a model. Until one is published, its pairs of items that people order
     * together are used.
     */
    keepPairs: (ref: TrainingRef, reason: ModelReason): Promise<void> => step(() => keepPairs(deps, ref, reason)),

    giveUp: (ref: TrainingRef, state: 'rejected' | 'failed', reason: ModelReason): Promise<void> =>
      runChunk(deps.logger, () => giveUpTraining(deps.pool, ref, { state, reason })),
  };
}

async function readEvents(deps: TrainingDeps, ref: TrainingRef): Promise<TrainingRead | null> {
  const { pool, solver } = deps;
  const model = await findModel(pool, ref);
  if (model?.state !== 'training') return null;
  const known = countsOf(model);
  if (known !== null) return { kind: model.kind, ...known };
  const published = model.kind === 'changes' ? await publishedOf(deps, ref) : null;
  if (model.kind === 'changes' && published === null) {
    await giveUpTraining(pool, ref, { state: 'rejected', reason: 'too_little_data' });
    return null;
  }
  for (const folder of [trainingBlobFolder, modelBlobFolder])
    await announceBlobs(pool, { projectId: ref.projectId, folder: folder(ref.projectId, ref.modelId) });
  const readAt = new Date();
  const signal = cancellation();
  const sampleOf = published?.settings.sampleOf ?? null;
  const { rowsRead, ...read } = await readProjectEvents(pool, ref.projectId, sampleOf, signal);
  const counts = await storeBlob(deps, dataKey(ref), async (data) => {
    const arranged = await solver.ask({ step: 'arrange', modelId: ref.modelId, data, ...read }, signal);
    await requireFirst(deps, ref, signal);
    return arranged;
  });
  await recordReadEvents(pool, ref, { ...counts, rowsRead, readAt });
  return { kind: model.kind, ...counts };
}

async function chooseSettings(deps: TrainingDeps, ref: TrainingRef): Promise<TrainingVerdict> {
  const { pool, blobs, solver } = deps;
  const published = await publishedOf(deps, ref);
  const model = await findModel(pool, ref);
  if (!model) throw new Error('the training no longer exists');
  const chosen = await blobs.withLocalFiles([dataKey(ref)], ([data = '']) =>
    solver.ask(
      {
        step: 'choose',
        modelId: ref.modelId,
        data,
        sampleOf: sampleFor(model.rowsRead ?? 0),
        // Rounded to a whole day, so that trainings of one day are comparable.
        reference: Math.floor(model.startedAt.getTime() / 1000 / DAY_SECONDS) * DAY_SECONDS,
        published: published?.settings ?? null,
      },
      cancellation(),
    ),
  );
  const { settings, quality, reason } = chosen;
  if (settings !== null) await recordSettings(pool, ref, { settings, quality });
  return { reason, quality, keepsPairs: published === null };
}

async function planChanges(deps: TrainingDeps, ref: TrainingRef): Promise<ColumnsToSolve> {
  const { pool, blobs, workDir, solver } = deps;
  const published = await requirePublished(deps, ref);
  const { settings, quality } = published;
  await recordSettings(pool, ref, { settings, quality });
  return withWorkFolder(workDir, async (folder) => {
    const into = { taste: join(folder, 'taste'), transition: join(folder, 'transition') };
    const plan = await blobs.withLocalFiles([dataKey(ref), published.blobKey], ([data = '', model = '']) =>
      solver.ask({ step: 'plan', modelId: ref.modelId, data, settings, published: model, into }, cancellation()),
    );
    for (const part of SOLVED_PARTS) await blobs.putFile(planKey(ref, part), into[part]);
    return plan;
  });
}

async function solveColumns(
  deps: TrainingDeps,
  ref: TrainingRef,
  range: ColumnRange,
  kind: TrainingRead['kind'],
): Promise<void> {
  const { blobs, solver } = deps;
  const key = rangeKey(ref, range);
  if (await isStored(deps, key)) return;
  const settings = await settingsOf(deps, ref);
  const keys = [dataKey(ref), ...(kind === 'changes' ? [planKey(ref, range.part)] : [])];
  await blobs.withLocalFiles(keys, ([data = '', plan = null]) =>
    storeBlob(deps, key, (into) =>
      solver.ask({ step: 'solve', modelId: ref.modelId, data, settings, range, plan, into }, cancellation()),
    ),
  );
}

async function publish(
  deps: TrainingDeps,
  ref: TrainingRef,
  toSolve: ColumnsToSolve,
  kind: TrainingRead['kind'],
): Promise<void> {
  const { pool, blobs, solver, logger } = deps;
  if ((await findModel(pool, ref))?.state !== 'training') return;
  const settings = await settingsOf(deps, ref);
  const published = kind === 'changes' ? await requirePublished(deps, ref) : null;
  const ranges = rangesOf(toSolve);
  const keys = [
    dataKey(ref),
    ...ranges.map((range) => rangeKey(ref, range)),
    ...(published ? [published.blobKey] : []),
  ];
  const { forgottenRows, companions } = await blobs.withLocalFiles(keys, ([data = '', ...paths]) =>
    storeBlob(deps, modelBlobKey(ref.projectId, ref.modelId), (into) => {
      const ofPart = (part: SolvedPart) => paths.filter((_, index) => ranges[index]?.part === part);
      const columns = { taste: ofPart('taste'), transition: ofPart('transition') };
      const before = paths[ranges.length] ?? null;
      return solver.ask(
        { step: 'assemble', modelId: ref.modelId, data, settings, columns, published: before, into },
        cancellation(),
      );
    }),
  );
  await storeCompanions(pool, ref.projectId, companions);
  await publishModel(pool, ref, { forgotten: forgottenRows });
  logger.info({ ...ref, ...toSolve }, 'a model was published');
}

async function keepPairs(deps: TrainingDeps, ref: TrainingRef, reason: ModelReason): Promise<void> {
  const { pool, blobs, solver } = deps;
  if ((await findModel(pool, ref))?.state !== 'training') return;
  const { hasPairs, forgottenRows } = await blobs.withLocalFiles([dataKey(ref)], ([data = '']) =>
    storeBlob(deps, modelBlobKey(ref.projectId, ref.modelId), (into) =>
      solver.ask({ step: 'pair', modelId: ref.modelId, data, into }, cancellation()),
    ),
  );
  await rejectModel(pool, ref, { reason, hasPairs, forgotten: forgottenRows });
}

/** Stores as a blob the file that `make` writes to the path. */
function storeBlob<T>({ blobs, workDir }: TrainingDeps, key: string, make: (path: string) => Promise<T>): Promise<T> {
  return withWorkFolder(workDir, async (folder) => {
    const path = join(folder, 'file');
    const result = await make(path);
    await blobs.putFile(key, path);
    return result;
  });
}

async function settingsOf({ pool }: TrainingDeps, ref: TrainingRef): Promise<TrainingSettings> {
  const settings = await readSettings(pool, ref);
  if (settings === null) throw new Error('the training has no settings yet');
  // This program wrote it.
  return settings as TrainingSettings;
}

async function publishedOf({ pool }: TrainingDeps, { projectId }: TrainingRef) {
  const published = await readPublishedModel(pool, projectId);
  return published && { ...published, settings: published.settings as TrainingSettings };
}

async function requirePublished(deps: TrainingDeps, ref: TrainingRef) {
  const published = await publishedOf(deps, ref);
  if (published === null) throw new Error('the published model no longer exists');
  return published;
}

/**
 * Lets only one of two attempts store the events that it read, because another snapshot numbers the items
 * differently.
 */
async function requireFirst({ pool }: TrainingDeps, ref: TrainingRef, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const model = await findModel(pool, ref);
  if (model && countsOf(model) !== null) throw new Error('another attempt has already read the events');
}

const cancellation = (): AbortSignal => Context.current().cancellationSignal;

/** Returns the counts that an earlier attempt has recorded; null when no attempt got that far. */
function countsOf({ events, items, people }: StoredModel): Omit<TrainingRead, 'kind'> | null {
  return events === null || items === null || people === null ? null : { events, items, people };
}

function dataKey({ projectId, modelId }: TrainingRef): string {
  return `${trainingBlobFolder(projectId, modelId)}/data`;
}

function planKey({ projectId, modelId }: TrainingRef, part: SolvedPart): string {
  return `${trainingBlobFolder(projectId, modelId)}/plan-${part}`;
}

function rangeKey({ projectId, modelId }: TrainingRef, { part, from }: ColumnRange): string {
  return `${trainingBlobFolder(projectId, modelId)}/${part}-${from}`;
}

async function isStored({ blobs }: TrainingDeps, key: string): Promise<boolean> {
  const blob = await blobs.open(key, 0, 1);
  blob?.stream.destroy();
  return blob !== null;
}
