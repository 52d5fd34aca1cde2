/** Receives the file of an import. */
import { join } from 'node:path';
import { uuidv7 } from 'uuidv7';
import { announceBlobs } from '../../../db/blobGarbage.ts';
import {
  IMPORT_SLOT_SECONDS,
  renewImportSlot,
  releaseImportSlot,
  takeImportSlot,
} from '../../../db/jobs/importSlots.ts';
import { insertImport, type StoredImport } from '../../../db/jobs/imports.ts';
import { importBlobFolder } from '../../../domain/jobs/ids.ts';
import type { ImportFormat } from '../../../domain/jobs/imports.ts';
import type { JobInput } from '../../../domain/jobs/jobs.ts';
import { withWorkFolder } from '../../../platform/disk/workDir.ts';
import { validationFailed } from '../../http/errors.ts';
import type { Upload } from '../../http/upload.ts';
import { requireActiveProject } from '../projects/activeProject.ts';
import type { CabinetDeps } from '../cabinetOperation.ts';

type Deps = Pick<CabinetDeps, 'pool' | 'blobs' | 'workDir'>;

interface NewUpload {
  projectId: string;
  requestId: string;
  format: ImportFormat;
}

/**
 * Takes an import slot before the first byte and holds it to the end, so that concurrent files do not exceed the limit.
 * @throws {HttpError} 422 for an empty file, and when the project has no free slot; 403 when the project is stopped
 */
export async function receiveImport(deps: Deps, entry: NewUpload, upload: Upload): Promise<StoredImport> {
  const ref = { projectId: entry.projectId, entityId: uuidv7() };
  if (!(await takeImportSlot(deps.pool, ref))) throw tooManyImports();
  return whileRenewing(deps, ref, () =>
    withWorkFolder(deps.workDir, (folder) =>
      receive(deps, { ...entry, id: ref.entityId }, upload, join(folder, 'upload')),
    ),
  );
}

/**
 * Runs the work while renewing the slot. A slot that cannot be renewed or released because PostgreSQL is unavailable
 * expires; the import's own transaction checks it.
 */
async function whileRenewing<T>({ pool }: Deps, ref: JobInput, work: () => Promise<T>): Promise<T> {
  const keep = setInterval(() => void renewImportSlot(pool, ref).catch(() => {}), (IMPORT_SLOT_SECONDS * 1000) / 4);
  try {
    return await work();
  } catch (error) {
    await releaseImportSlot(pool, ref).catch(() => {});
    throw error;
  } finally {
    clearInterval(keep);
  }
}

/**
 * Stores the file first, then the row that names it; the remains of a crash or a refusal in between are removed after a
 * day.
 */
async function receive(
  { pool, blobs }: Deps,
  entry: NewUpload & { id: string },
  upload: Upload,
  path: string,
): Promise<StoredImport> {
  const bytes = await upload.saveTo(path);
  if (bytes === 0) throw validationFailed([{ field: '', code: 'required' }]);
  // A file may take long enough to arrive for the project to be stopped meanwhile.
  await requireActiveProject(pool, entry.projectId);
  const folder = importBlobFolder(entry.projectId, entry.id);
  const blobKey = `${folder}/file`;
  await announceBlobs(pool, { projectId: entry.projectId, folder });
  await blobs.putFile(blobKey, path);
  const stored = await insertImport(pool, { ...entry, blobKey, bytes });
  if (!stored) throw tooManyImports();
  return stored;
}

const tooManyImports = (): Error => validationFailed([{ field: '', code: 'invalid_value' }]);
