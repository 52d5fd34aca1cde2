/** Imports: their rows, their progress, and the errors in their lines. */
import type pg from 'pg';
import { importBlobFolder } from '../../domain/jobs/ids.ts';
import {
  IMPORT_ERRORS,
  type CsvLayout,
  type ImportError,
  type ImportFormat,
  type ImportPosition,
  type ImportState,
  IMPORT_RECORD_SECONDS,
} from '../../domain/jobs/imports.ts';
import type { JobInput } from '../../domain/jobs/jobs.ts';
import { PRIORITY } from '../../domain/jobs/queues.ts';
import { discardImportFile, keepBlobs } from '../blobGarbage.ts';
import { convertImportSlot } from './importSlots.ts';
import { closeJob, openJob } from './jobs.ts';
import { inTransaction, type Queryable } from '../pool.ts';

export interface NewImport {
  projectId: string;
  id: string;
  format: ImportFormat;
  blobKey: string;
  bytes: number;
  requestId: string | null;
}

export interface StoredImport {
  id: string;
  state: ImportState;
  format: ImportFormat;
  bytes: number;
  bytesRead: number;
  done: number;
  failed: number;
  createdAt: Date;
  finishedAt: Date | null;
}

/** The data that a chunk needs. */
export interface ImportWork extends StoredImport {
  layout: CsvLayout | null;
  blobKey: string;
  next: ImportPosition;
  requestId: string | null;
}

const COLUMNS = `id, state, format, bytes::float8 as bytes, next_offset::float8 as "bytesRead", done::float8 as done, failed::float8 as failed,
  created_at as "createdAt", finished_at as "finishedAt"`;

/**
 * Stores an import whose file is in the blob store, and queues its job.
 * @returns null when its slot was lost and too many of the project's imports already wait
 */
export function insertImport(pool: pg.Pool, entry: NewImport): Promise<StoredImport | null> {
  return inTransaction(pool, async (client) => {
    if (!(await convertImportSlot(client, { projectId: entry.projectId, entityId: entry.id }))) return null;
    const { rows } = await client.query<StoredImport>(
      `insert into imports (project_id, id, format, blob_key, bytes, request_id) values ($1, $2, $3, $4, $5, $6) returning ${COLUMNS}`,
      [entry.projectId, entry.id, entry.format, entry.blobKey, entry.bytes, entry.requestId],
    );
    await keepBlobs(client, entry.projectId, [entry.blobKey]);
    await openJob(client, {
      kind: 'import',
      projectId: entry.projectId,
      entityId: entry.id,
      priority: PRIORITY.job,
      requestId: entry.requestId,
    });
    if (!rows[0]) throw new Error('an import was inserted but not returned');
    return rows[0];
  });
}

/** Returns imports, the newest first; `after` is the last id of the previous page. */
export async function listImports(
  pool: Queryable,
  projectId: string,
  { after, limit }: { after: string | null; limit: number },
): Promise<StoredImport[]> {
  const { rows } = await pool.query<StoredImport>(
    `select ${COLUMNS} from imports where project_id = $1 and ($2::uuid is null or id < $2) order by id desc limit $3`,
    [projectId, after, limit],
  );
  return rows;
}

export async function findImport(pool: Queryable, { projectId, entityId }: JobInput): Promise<StoredImport | null> {
  const { rows } = await pool.query<StoredImport>(`select ${COLUMNS} from imports where project_id = $1 and id = $2`, [
    projectId,
    entityId,
  ]);
  return rows[0] ?? null;
}

/** Returns the first errors, and the one that ended the import if any, in the order of their lines. */
export async function listImportErrors(pool: Queryable, { projectId, entityId }: JobInput): Promise<ImportError[]> {
  const { rows } = await pool.query<ImportError>(
    `select line::float8 as line, item_id as "itemId", code, faults from import_errors where project_id = $1 and import_id = $2 order by line limit $3`,
    [projectId, entityId, IMPORT_ERRORS + 1],
  );
  return rows;
}

export async function readImportWork(pool: Queryable, { projectId, entityId }: JobInput): Promise<ImportWork | null> {
  const { rows } = await pool.query<
    StoredImport & { layout: CsvLayout | null; blobKey: string; nextLine: number; requestId: string | null }
  >(
    `select ${COLUMNS}, layout, blob_key as "blobKey", next_line::float8 as "nextLine", request_id as "requestId"
       from imports where project_id = $1 and id = $2`,
    [projectId, entityId],
  );
  const row = rows[0];
  return row ? { ...row, next: { offset: row.bytesRead, line: row.nextLine } } : null;
}

/** Locks an import whose progress is `at`, for the chunk that begins there; null when it has moved on or ended. */
export async function lockImport(
  client: Queryable,
  { projectId, entityId }: JobInput,
  at: ImportPosition,
): Promise<{ failed: number } | null> {
  const { rows } = await client.query<{ failed: number }>(
    `select failed::float8 as failed from imports
      where project_id = $1 and id = $2 and state in ('queued', 'running') and next_offset = $3 for update`,
    [projectId, entityId, at.offset],
  );
  return rows[0] ?? null;
}

export interface ChunkOutcome {
  next: ImportPosition;
  layout: CsvLayout | null;
  done: number;
  errors: readonly ImportError[];
  /**
   * `done`: the end of the file was reached; `failed`: it could not be read to the end, and the last error is the
   * reason.
   */
  end: 'done' | 'failed' | null;
}

/** Stores the outcome of a chunk, in the transaction that applied it; the last chunk ends the job. */
export async function storeChunk(
  client: Queryable,
  ref: JobInput,
  locked: { failed: number },
  outcome: ChunkOutcome,
): Promise<void> {
  const { next, layout, done, errors, end } = outcome;
  await client.query(
    `update imports set state = coalesce($3, 'running'), next_offset = $4, next_line = $5, layout = $6, done = done + $7, failed = failed + $8,
            finished_at = case when $3::text is not null then now() end
      where project_id = $1 and id = $2`,
    [ref.projectId, ref.entityId, end, next.offset, next.line, layout, done, errors.length],
  );
  const room = Math.max(0, IMPORT_ERRORS - locked.failed);
  await insertErrors(
    client,
    ref,
    errors.filter((_, index) => index < room || (end === 'failed' && index === errors.length - 1)),
  );
  if (end === null) return;
  await closeJob(client, { kind: 'import', ...ref });
  await discardImportFile(client, ref.projectId, importBlobFolder(ref.projectId, ref.entityId));
}

async function insertErrors(
  client: Queryable,
  { projectId, entityId }: JobInput,
  errors: readonly ImportError[],
): Promise<void> {
  if (errors.length === 0) return;
  await client.query(
    `insert into import_errors (project_id, import_id, line, item_id, code, faults)
     select $1, $2, e.line, e."itemId", e.code, e.faults
       from jsonb_to_recordset($3::jsonb) as e (line bigint, "itemId" text, code text, faults jsonb)`,
    [projectId, entityId, JSON.stringify(errors)],
  );
}

/** Removes imports that ended long ago, with their errors, at most `limit` of them; returns how many. */
export async function deleteOldImports(pool: Queryable, limit: number): Promise<number> {
  const { rowCount } = await pool.query(
    `delete from imports where (project_id, id) in (
       select project_id, id from imports where finished_at < now() - $1::int * interval '1 second' limit $2)`,
    [IMPORT_RECORD_SECONDS, limit],
  );
  return rowCount ?? 0;
}
