/** The blob store that the settings name. */
import { createLocalBlobStore } from './local.ts';
import type { BlobSettings, S3Settings } from './settings.ts';
import { BlobStoreError, type BlobStore } from './types.ts';

export { BlobStoreError, createLocalBlobStore };
export type { BlobStore };

/** @param workDir where blobs from afar are put for as long as a program wants them as files */
export function createBlobStore(settings: BlobSettings, workDir: string): BlobStore {
  return settings.kind === 'local' ? createLocalBlobStore(settings.dir) : createLateS3BlobStore(settings, workDir);
}

/** Amazon's client costs each process that loads it 0.1 to 0.2 s of CPU and 30 MB: it is loaded for the first blob. */
function createLateS3BlobStore(settings: S3Settings, workDir: string): BlobStore {
  let loading: Promise<BlobStore> | undefined;
  const load = (): Promise<BlobStore> =>
    (loading ??= import('./s3.ts')
      .then(({ createS3BlobStore }) => createS3BlobStore(settings, workDir))
      .catch((error: unknown) => {
        // For want of file handles, perhaps: the next one tries again.
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
