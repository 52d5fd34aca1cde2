/** The blob store that the settings name. */
import { createLocalBlobStore } from './local.ts';
import { createS3BlobStore } from './s3.ts';
import type { BlobSettings } from './settings.ts';
import { BlobStoreError, type BlobStore } from './types.ts';

export { BlobStoreError, createLocalBlobStore };
export type { BlobStore };

/** @param workDir where blobs from afar are put for as long as a program wants them as files */
export function createBlobStore(settings: BlobSettings, workDir: string): BlobStore {
  return settings.kind === 'local' ? createLocalBlobStore(settings.dir) : createS3BlobStore(settings, workDir);
}
