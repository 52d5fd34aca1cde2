/** Slots of a project's imports: one for each unfinished import and for each file that is being received. */
import type pg from 'pg';
import { IMPORTS_UNFINISHED } from '../../domain/jobs/imports.ts';
import type { JobInput } from '../../domain/jobs/jobs.ts';
import { inTransaction, type Queryable } from '../pool.ts';

/** Seconds by which a slot outlives the process that took it; the receiver of the file renews it before that. */
export const IMPORT_SLOT_SECONDS = 120;

/**
 * Takes a slot for a file that is about to arrive.
 * @returns false when the project has none left, however many requests run at once
 */
export function takeImportSlot(pool: pg.Pool, { projectId, entityId }: JobInput): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    await lockProject(client, projectId);
    await client.query('delete from import_uploads where project_id = $1 and expires_at < now()', [projectId]);
    if (!(await hasRoomForImport(client, { projectId, entityId }))) return false;
    await client.query(
      `insert into import_uploads (project_id, id, expires_at) values ($1, $2, now() + make_interval(secs => ${IMPORT_SLOT_SECONDS}))`,
      [projectId, entityId],
    );
    return true;
  });
}

/** Renews a slot for {@link IMPORT_SLOT_SECONDS} from now. */
export async function renewImportSlot(pool: Queryable, { projectId, entityId }: JobInput): Promise<void> {
  await pool.query(
    `update import_uploads set expires_at = now() + make_interval(secs => ${IMPORT_SLOT_SECONDS}) where project_id = $1 and id = $2`,
    [projectId, entityId],
  );
}

export async function releaseImportSlot(pool: Queryable, { projectId, entityId }: JobInput): Promise<void> {
  await pool.query('delete from import_uploads where project_id = $1 and id = $2', [projectId, entityId]);
}

/**
 * Turns the slot of a received file into that of an import.
 * @param client in a transaction, which holds the lock on the project's row from here on
 * @returns false when the slot was lost and the project has no other
 */
export async function convertImportSlot(client: Queryable, ref: JobInput): Promise<boolean> {
  await lockProject(client, ref.projectId);
  if (!(await hasRoomForImport(client, ref))) return false;
  await releaseImportSlot(client, ref);
  return true;
}

/** Locks the project, so that slots are counted by one transaction at a time. */
async function lockProject(client: Queryable, projectId: string): Promise<void> {
  await client.query('select from projects where id = $1 for no key update', [projectId]);
}

/** Returns true when the project has a free slot for this import, whose own slot is not counted. */
async function hasRoomForImport(client: Queryable, { projectId, entityId }: JobInput): Promise<boolean> {
  const { rows } = await client.query<{ taken: number }>(
    `select (select count(*) from jobs where project_id = $1 and kind = 'import')::int
          + (select count(*) from import_uploads where project_id = $1 and id <> $2 and expires_at >= now())::int as taken`,
    [projectId, entityId],
  );
  return rows[0] !== undefined && rows[0].taken < IMPORTS_UNFINISHED;
}
