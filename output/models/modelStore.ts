/** Reads and writes models in the blob store. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BlobStore } from '../../platform/blobs/createBlobStore.ts';
import { withWorkFolder } from '../../platform/process/workDir.ts';
import { MAX_FILE_BYTES, receiveFile } from './arrayFile.ts';
import { decodeModelInTurns, encodeModel, ModelFileError, type StoredItemModel } from './modelFile.ts';

/**
 * Reads a model while the process goes on answering.
 * @returns null when the blob does not exist (any more): another model is current by then
 * @throws {ModelFileError} when it is not a model, or is damaged
 */
export async function readModel(blobs: Pick<BlobStore, 'open'>, key: string): Promise<StoredItemModel | null> {
  const blob = await blobs.open(key);
  if (!blob) return null;
  if (blob.size > MAX_FILE_BYTES) {
    blob.stream.destroy();
    throw new ModelFileError(`a model of ${blob.size} bytes is too large`);
  }
  return decodeModelInTurns(await receiveFile(blob));
}

/** @param workDir scratch folder, swept when the process starts (platform/process/workDir.ts) */
export async function writeModel(
  { blobs, workDir }: { blobs: Pick<BlobStore, 'putFile'>; workDir: string },
  key: string,
  model: StoredItemModel,
): Promise<void> {
  await withWorkFolder(workDir, async (folder) => {
    const path = join(folder, 'model');
    await writeFile(path, encodeModel(model));
    await blobs.putFile(key, path);
  });
}
