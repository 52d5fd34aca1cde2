/** What a training has published, and the same model made at one go from what the tables have. */
import { expect } from '@jest/globals';
import type pg from 'pg';
import { readProjectEvents } from '../../../activities/training/readEvents.ts';
import type { BlobStore } from '../../../blobs/store.ts';
import { readPublishedModel, type PublishedModel } from '../../../db/output/models.ts';
import type { StoredItemModel } from '../../../output/models/modelFile.ts';
import { readModel } from '../../../output/models/modelStore.ts';
import { arrangeEvents } from '../../../output/training/arrange.ts';
import type { TrainingSettings } from '../../../output/training/settings.ts';
import { assembleModel, evidenceFor, solveColumns } from '../../../output/training/training.ts';

export interface TrainedProject {
  pool: pg.Pool;
  projectId: string;
  blobs: BlobStore;
}

export async function publishedModel({ pool, projectId }: Omit<TrainedProject, 'blobs'>): Promise<PublishedModel> {
  const model = await readPublishedModel(pool, projectId);
  if (!model) throw new Error('nothing is published');
  return model;
}

export async function publishedFile(project: TrainedProject): Promise<StoredItemModel> {
  const file = await readModel(project.blobs, (await publishedModel(project)).blobKey);
  if (!file) throw new Error('the model has no file');
  return file;
}

/** Item → target → weight. */
export function weightsByName(model: StoredItemModel, part: 'taste' | 'transition'): Map<string, number> {
  const { offsets, columns, weights } = model[part];
  return new Map(
    model.ids.flatMap((id, item) =>
      [...columns.subarray(offsets[item], offsets[item + 1])].map((target, place): [string, number] => [
        `${id} → ${model.ids[target]}`,
        weights[(offsets[item] ?? 0) + place] ?? NaN,
      ]),
    ),
  );
}

/** With the settings of the published one. */
export async function trainedAnew({ pool, projectId }: Omit<TrainedProject, 'blobs'>): Promise<StoredItemModel> {
  const settings = (await publishedModel({ pool, projectId })).settings as TrainingSettings;
  const { events } = await readProjectEvents(pool, projectId, 1, new AbortController().signal);
  const data = arrangeEvents(events, new Set(), Infinity);
  const all = Uint32Array.from(data.ids, (_, item) => item);
  const solved = {
    taste: [solveColumns(evidenceFor(data, 'taste', settings), all, settings.taste)],
    transition: [solveColumns(evidenceFor(data, 'transition', settings), all, settings.transition)],
  };
  return assembleModel({ id: 'anew', data, settings, solved, published: null });
}

/** Fails when they do not weigh the same pairs. */
export function largestDifference(a: Map<string, number>, b: Map<string, number>): number {
  expect([...a.keys()].toSorted()).toEqual([...b.keys()].toSorted());
  return [...a].reduce((most, [key, weight]) => Math.max(most, Math.abs(weight - (b.get(key) ?? NaN))), 0);
}
