/** Reads models from where training has published them. */
import type pg from 'pg';
import type { BlobStore } from '../../../platform/blobs/createBlobStore.ts';
import { readCurrentModel, readKeptModels } from '../../../db/training/currentModels.ts';
import { readModel } from '../../models/modelStore.ts';
import type { ModelSource } from './modelFollower.ts';

export function createModelSource(pool: pg.Pool, blobs: Pick<BlobStore, 'open'>): ModelSource {
  return {
    current: (projectId) => readCurrentModel(pool, projectId),
    kept: (projectId, ids) => readKeptModels(pool, projectId, ids),
    read: ({ blobKey }) => readModel(blobs, blobKey),
  };
}
