/** The model that a training has published, and the same model trained in one pass from the current tables. */
import type pg from 'pg';
import { readProjectEvents } from '../../../activities/training/readEvents.ts';
import type { BlobStore } from '../../../platform/blobs/createBlobStore.ts';
import { readPublishedModel, type PublishedModel } from '../../../db/training/models.ts';
import type { StoredItemModel } from '../../../output/models/modelFile.ts';
import { readModel } from '../../../output/models/modelStore.ts';
import { arrangeEvents } from '../../../output/training/rows/arrangeEvents.ts';
import type { TrainingSettings } from '../../../output/training/evaluate/hyperparameters.ts';
import { trainedOn } from './modelWeights.ts';

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

/** Trains with the settings of the published model. */
export async function trainedAnew({ pool, projectId }: Omit<TrainedProject, 'blobs'>): Promise<StoredItemModel> {
  const settings = (await publishedModel({ pool, projectId })).settings as TrainingSettings;
  const { events } = await readProjectEvents(pool, projectId, 1, new AbortController().signal);
  const data = arrangeEvents(events, new Set(), Infinity);
  return trainedOn(data, settings);
}
