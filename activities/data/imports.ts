/** Imports on the queue `data`: one chunk of lines in one transaction. */
import type { Readable } from 'node:stream';
import type pg from 'pg';
import type { BlobStore } from '../../blobs/store.ts';
import { lockImport, readImportWork, storeChunk, type ChunkOutcome, type ImportWork } from '../../db/imports.ts';
import { applyItemOperations } from '../../db/items/apply.ts';
import { inTransaction } from '../../db/pool.ts';
import type { ImportError, ImportProgress } from '../../domain/imports.ts';
import type { JobInput } from '../../domain/jobs.ts';
import { PRIORITY } from '../../domain/queues.ts';
import type { Logger } from '../../process/logger.ts';
import { createLineJudge } from '../../schemas/itemLine.ts';
import type { CompileValidator } from '../../schemas/validation.ts';
import { runChunk } from './chunk.ts';
import { readChunk, type Chunk } from './imports/readChunk.ts';

export interface ImportActivityDeps {
  pool: pg.Pool;
  blobs: BlobStore;
  validators: CompileValidator;
  logger: Logger;
}

export function createImportActivities(deps: ImportActivityDeps) {
  const judge = createLineJudge(deps.validators);

  /** The bytes from where the last chunk ended. An import whose file is gone fails as a whole. */
  async function read(work: ImportWork): Promise<Chunk> {
    const blob = work.next.offset < work.bytes ? await deps.blobs.open(work.blobKey, work.next.offset) : null;
    if (blob) return readAndClose(blob.stream, work);
    const isLost = work.next.offset < work.bytes;
    return { ...NOTHING, next: work.next, layout: work.layout, end: isLost ? 'failed' : 'done', errors: isLost ? [fileLost(work)] : [] };
  }

  async function readAndClose(stream: Readable, work: ImportWork): Promise<Chunk> {
    try {
      return await readChunk(stream, work, judge);
    } finally {
      stream.destroy();
    }
  }

  return {
    /** Applies the next lines of an import; one that is over stays as it is. */
    importChunk: (input: JobInput): Promise<ImportProgress> => runChunk(deps.logger, async () => {
      const work = await readImportWork(deps.pool, input);
      if (!work) return { state: 'failed', done: 0, failed: 0, percent: 0 };
      if (isOver(work)) return progressOf(work);
      const chunk = await read(work);
      await inTransaction(deps.pool, (client) => applyChunk(client, input, work, chunk));
      const after = await readImportWork(deps.pool, input);
      return progressOf(after ?? work);
    }),
  };
}

const NOTHING = { operations: [], errors: [] } as const;

function fileLost({ next }: ImportWork): ImportError {
  return { line: next.line, itemId: null, code: 'file_lost', faults: [] };
}

function isOver({ state }: Pick<ImportWork, 'state'>): boolean {
  return state === 'done' || state === 'failed';
}

/** A chunk that another attempt has done meanwhile is left alone. */
async function applyChunk(client: pg.PoolClient, ref: JobInput, work: ImportWork, chunk: Chunk): Promise<void> {
  const locked = await lockImport(client, ref, work.next);
  if (!locked) return;
  const write = { projectId: ref.projectId, origin: 'import', priority: PRIORITY.bulk, requestId: work.requestId } as const;
  const results = chunk.operations.length > 0 ? await applyItemOperations(client, write, chunk.operations.map(({ operation }) => operation)) : [];
  const refused = results.flatMap(({ id, outcome, faults }, index): ImportError[] => {
    const line = chunk.operations[index]?.line;
    return outcome === 'invalid' && line !== undefined ? [{ line, itemId: id, code: 'validation_failed', faults }] : [];
  });
  const outcome: ChunkOutcome = {
    next: chunk.next, layout: chunk.layout, end: chunk.end,
    done: results.length - refused.length,
    errors: [...chunk.errors, ...refused].sort((a, b) => a.line - b.line),
  };
  await storeChunk(client, ref, locked, outcome);
}

function progressOf({ state, done, failed, bytes, bytesRead }: ImportWork): ImportProgress {
  return { state, done, failed, percent: Math.floor((100 * bytesRead) / bytes) };
}
