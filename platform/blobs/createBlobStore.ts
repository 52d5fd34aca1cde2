/** Creates the blob store that the settings name. */
import { createLocalBlobStore } from './local.ts';
import type { BlobSettings, S3Settings } from './blobSettings.ts';
import { BlobStoreError, type BlobStore } from './types.ts';

export { BlobStoreError, createLocalBlobStore };
export type { BlobStore };

/** @param workDir folder for local copies of remote blobs while a program needs them as files */
export function createBlobStore(settings: BlobSettings, workDir: string): BlobStore {
  return settings.kind === 'local' ? createLocalBlobStore(settings.dir) : createLazyS3BlobStore(settings, workDir);
}

/** Loads Amazon's client with the first blob: it costs each process that loads it 0.1 to 0.2 s of CPU and 30 MB. */
function createLazyS3BlobStore(settings: S3Settings, workDir: string): BlobStore {
  let loading: Promise<BlobStore> | undefined;
  const load = (): Promise<BlobStore> =>
    (loading ??= import('./s3.ts')
      .then(({ createS3BlobStore }) => createS3BlobStore(settings, workDir))
      .catch((error: unknown) => {
        // The import may have failed for lack of file handles, for example; the next call tries again.
        loading = undefined;
        throw error;
      }));
  return {
    putFile: async (...given) => (await load()).putFile(...given),
    open: async (...given) => (await load()).open(...given),
    withLocalFiles: async (keys, use) => (await load()).withLocalFiles(keys, use),
    removeFolder: async (folder) => (await load()).removeFolder(folder),
  };
}
