/** Imports the next lines in one transaction: items, errors and the position in the file. */
import type pg from 'pg';
import type { BlobStore } from '../../../platform/blobs/createBlobStore.ts';
import { isProjectActive } from '../../../db/activeProject.ts';
import { lockImport, readImportWork, storeChunk, type ImportWork } from '../../../db/jobs/imports.ts';
import { applyItemOperations } from '../../../db/items/applyOperations.ts';
import { inTransaction } from '../../../db/pool.ts';
import type { ImportError, ImportProgress } from '../../../domain/jobs/imports.ts';
import type { JobInput } from '../../../domain/jobs/jobs.ts';
import { PRIORITY } from '../../../domain/jobs/queues.ts';
import { readChunk, type Chunk, type ValidateLine } from './readChunk.ts';

export interface ImportDeps {
  pool: pg.Pool;
  blobs: BlobStore;
  validate: ValidateLine;
}

/**
 * Imports each line exactly once, wherever the process dies: the file is read before the transaction, which does
 * nothing unless the import is still at the position where reading began. A stopped project gets no more items.
 */
export async function importNextLines(deps: ImportDeps, input: JobInput): Promise<ImportProgress> {
  const work = await readImportWork(deps.pool, input);
  if (!work) return { state: 'failed', done: 0, failed: 0, percent: 0 };
  if (isOver(work)) return progressOf(work);
  if (!(await isProjectActive(deps.pool, input.projectId))) return { ...progressOf(work), isPaused: true };
  const chunk = await readChunk(readFrom(deps.blobs, work), work, deps.validate);
  await inTransaction(deps.pool, (client) => applyChunk(client, input, work, chunk));
  return progressOf((await readImportWork(deps.pool, input)) ?? work);
}

/** Bytes per request to the blob store; a chunk of short lines needs no more. */
const WINDOW_BYTES = 1024 * 1024;

/** Yields the file's bytes from the end of the previous chunk; nothing when the file no longer exists. */
async function* readFrom(blobs: BlobStore, { blobKey, next, bytes }: ImportWork): AsyncGenerator<Buffer, void> {
  for (let offset = next.offset; offset < bytes;) {
    const blob = await blobs.open(blobKey, offset, WINDOW_BYTES);
    if (!blob) return;
    for await (const piece of blob.stream as AsyncIterable<Buffer>) {
      offset += piece.length;
      yield piece;
    }
  }
}

async function applyChunk(client: pg.PoolClient, ref: JobInput, work: ImportWork, chunk: Chunk): Promise<void> {
  const locked = await lockImport(client, ref, work.next);
  if (!locked) return;
  const write = {
    projectId: ref.projectId,
    origin: 'import',
    priority: PRIORITY.bulk,
    requestId: work.requestId,
  } as const;
  const results =
    chunk.operations.length > 0
      ? await applyItemOperations(
          client,
          write,
          chunk.operations.map(({ operation }) => operation),
        )
      : [];
  const refused = results.flatMap(({ id, outcome, faults }, index): ImportError[] => {
    const line = chunk.operations[index]?.line;
    return outcome === 'invalid' && line !== undefined ? [{ line, itemId: id, code: 'validation_failed', faults }] : [];
  });
  await storeChunk(client, ref, locked, {
    next: chunk.next,
    layout: chunk.layout,
    done: results.length - refused.length,
    errors: [...chunk.errors, ...refused].sort((a, b) => a.line - b.line),
    end: chunk.end,
  });
}

function isOver({ state }: Pick<ImportWork, 'state'>): boolean {
  return state === 'done' || state === 'failed';
}

function progressOf({ state, done, failed, bytes, bytesRead }: ImportWork): ImportProgress {
  return { state, done, failed, percent: Math.floor((100 * bytesRead) / bytes) };
}
