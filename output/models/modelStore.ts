/** Reads models from the blob store; training writes them as files (activities/training). */
import type { BlobStore } from '../../platform/blobs/createBlobStore.ts';
import { MAX_FILE_BYTES, receiveFile } from './arrayFile.ts';
import { decodeModelInTurns, ModelFileError, type StoredItemModel } from './modelFile.ts';

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
