/** The next lines of an import in one transaction: the items, the errors and the place in the file. */
import type { Readable } from 'node:stream';
import type pg from 'pg';
import type { BlobStore } from '../../../blobs/store.ts';
import { lockImport, readImportWork, storeChunk, type ImportWork } from '../../../db/imports.ts';
import { applyItemOperations } from '../../../db/items/applyOperations.ts';
import { inTransaction } from '../../../db/pool.ts';
import type { ImportError, ImportProgress } from '../../../domain/imports.ts';
import type { JobInput } from '../../../domain/jobs.ts';
import { PRIORITY } from '../../../domain/queues.ts';
import { readChunk, type Chunk, type JudgeLine } from './readChunk.ts';

export interface ImportDeps {
  pool: pg.Pool;
  blobs: BlobStore;
  judge: JudgeLine;
}

/**
 * Exactly once, whatever ends in the middle: the file is read before the transaction, which takes
 * nothing unless the import still stands where the reading began.
 */
export async function importNextLines(deps: ImportDeps, input: JobInput): Promise<ImportProgress> {
  const work = await readImportWork(deps.pool, input);
  if (!work) return { state: 'failed', done: 0, failed: 0, percent: 0 };
  if (isOver(work)) return progressOf(work);
  const chunk = await readNext(deps, work);
  await inTransaction(deps.pool, (client) => applyChunk(client, input, work, chunk));
  return progressOf(await readImportWork(deps.pool, input) ?? work);
}

/** The bytes from where the last chunk ended. An import whose file is gone fails as a whole. */
async function readNext({ blobs, judge }: ImportDeps, work: ImportWork): Promise<Chunk> {
  const blob = await blobs.open(work.blobKey, work.next.offset);
  if (blob) return readAndClose(blob.stream, work, judge);
  const error: ImportError = { line: work.next.line, itemId: null, code: 'file_lost', faults: [] };
  return { operations: [], errors: [error], next: work.next, layout: work.layout, end: 'failed' };
}

async function readAndClose(stream: Readable, work: ImportWork, judge: JudgeLine): Promise<Chunk> {
  try {
    return await readChunk(stream, work, judge);
  } finally {
    stream.destroy();
  }
}

async function applyChunk(client: pg.PoolClient, ref: JobInput, work: ImportWork, chunk: Chunk): Promise<void> {
  const locked = await lockImport(client, ref, work.next);
  if (!locked) return;
  const write = { projectId: ref.projectId, origin: 'import', priority: PRIORITY.bulk, requestId: work.requestId } as const;
  const results = chunk.operations.length > 0 ? await applyItemOperations(client, write, chunk.operations.map(({ operation }) => operation)) : [];
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
