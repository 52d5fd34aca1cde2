/** Reads models from where training has published them. */
import type pg from 'pg';
import type { BlobStore } from '../../../platform/blobs/createBlobStore.ts';
import { readPublishedModel } from '../../../db/training/models.ts';
import { readKeptModels } from '../../../db/training/keptModels.ts';
import { readModel } from '../../models/modelStore.ts';
import type { ModelSource } from './modelFollower.ts';

export function createModelSource(pool: pg.Pool, blobs: Pick<BlobStore, 'open'>): ModelSource {
  return {
    published: (projectId) => readPublishedModel(pool, projectId),
    kept: (projectId, ids) => readKeptModels(pool, projectId, ids),
    read: ({ blobKey }) => readModel(blobs, blobKey),
  };
}
