/** Folders of blobs that no row names, and when they may be removed. */
import { EXPORT_SECONDS } from '../domain/reports/exports.ts';
import { mediumBlobsFolder } from '../domain/jobs/ids.ts';
import { IMPORT_FILE_SECONDS } from '../domain/jobs/imports.ts';
import type { Queryable } from './pool.ts';
import { LINK_LIFETIME_SECONDS } from '../domain/items/mediaLinkLifetime.ts';

/**
 * Replaced blobs stay as long as links to them, and as long again for cached answers with such links and for an
 * analysis that has just read their keys.
 */
const REPLACED_BLOBS_SECONDS = 2 * LINK_LIFETIME_SECONDS;

/** An attempt to prepare a medium stores its result long before this time, or never. */
const UNSTORED_BLOBS_SECONDS = 86_400;

interface MediumRef {
  projectId: string;
  itemId: string;
  mediumId: string;
}

export interface BlobFolder {
  projectId: string;
  folder: string;
}

const FOLDER_OF_KEY = `substring(key from '^(.+)/[^/]+$')`;

/**
 * Records a folder before files are written there. After a crash between writing the files and storing the rows that
 * name them, the record remains and the files are removed after a day. Whoever stores the rows calls {@link keepBlobs}.
 * A later removal time that is already recorded stays: another attempt may have finished its file there.
 */
export async function announceBlobs(pool: Queryable, { projectId, folder }: BlobFolder): Promise<void> {
  await pool.query(
    `insert into blob_garbage (project_id, folder, after) values ($1, $2, now() + $3::int * interval '1 second')
     on conflict (project_id, folder) do update set after = greatest(blob_garbage.after, excluded.after)`,
    [projectId, folder, UNSTORED_BLOBS_SECONDS],
  );
}

/** Takes the folders of these keys out of the garbage, in the transaction that stores the rows that name them. */
export async function keepBlobs(client: Queryable, projectId: string, keys: readonly string[]): Promise<void> {
  await client.query(
    `delete from blob_garbage where project_id = $1 and folder in (select ${FOLDER_OF_KEY} from unnest($2::text[]) as key)`,
    [projectId, keys],
  );
}

/**
 * Marks as garbage the blobs that the rows of a medium name now. Call it before the rows change, in the same
 * transaction.
 */
export async function discardNamedBlobs(client: Queryable, ref: MediumRef): Promise<void> {
  await client.query(
    `with named as (
       select unnest(array[audio_key, subtitles_key]) as key from item_media where project_id = $1 and item_id = $2 and medium_id = $3
       union all
       select blob_key from item_frames where project_id = $1 and item_id = $2 and medium_id = $3)
     insert into blob_garbage (project_id, folder, after)
     select distinct $1, ${FOLDER_OF_KEY}, now() + $4::int * interval '1 second' from named where ${FOLDER_OF_KEY} is not null
     on conflict do nothing`,
    [ref.projectId, ref.itemId, ref.mediumId, REPLACED_BLOBS_SECONDS],
  );
}

/** Marks everything that was ever stored for removed media as garbage. */
export async function discardMedia(client: Queryable, projectId: string, mediumIds: readonly string[]): Promise<void> {
  await client.query(
    `insert into blob_garbage (project_id, folder, after)
     select $1, folder, now() + $3::int * interval '1 second' from unnest($2::text[]) as folder
     on conflict do nothing`,
    [projectId, mediumIds.map((mediumId) => mediumBlobsFolder(projectId, mediumId)), REPLACED_BLOBS_SECONDS],
  );
}

/** Marks the file of a finished import as garbage. */
export async function discardImportFile(client: Queryable, projectId: string, folder: string): Promise<void> {
  await client.query(
    `insert into blob_garbage (project_id, folder, after) values ($1, $2, now() + $3::int * interval '1 second') on conflict do nothing`,
    [projectId, folder, IMPORT_FILE_SECONDS],
  );
}

/** Keeps the file of an export until its link expires, in the transaction that stores the row that names it. */
export async function keepExportFile(client: Queryable, siteId: string, folder: string): Promise<void> {
  await client.query(
    `insert into blob_garbage (project_id, folder, after) values ($1, $2, now() + $3::int * interval '1 second')
     on conflict (project_id, folder) do update set after = excluded.after`,
    [siteId, folder, EXPORT_SECONDS],
  );
}

/** Marks the file of an export as garbage before its link expires; the next pass removes it. */
export async function discardExportFile(client: Queryable, siteId: string, folder: string): Promise<void> {
  await client.query(
    `insert into blob_garbage (project_id, folder, after) values ($1, $2, now())
     on conflict (project_id, folder) do update set after = excluded.after`,
    [siteId, folder],
  );
}

/** Returns the folders that are due for removal, the oldest first. */
export async function listDueGarbage(pool: Queryable, limit: number): Promise<BlobFolder[]> {
  const { rows } = await pool.query<BlobFolder>(
    `select project_id as "projectId", folder from blob_garbage where after <= now() order by after limit $1`,
    [limit],
  );
  return rows;
}

const IS_ONE_OF = '(project_id, folder) in (select * from unnest($1::text[], $2::text[]))';
const columns = (folders: readonly BlobFolder[]): string[][] => [
  folders.map(({ projectId }) => projectId),
  folders.map(({ folder }) => folder),
];

/** Deletes the records of folders that were removed. */
export async function deleteGarbageRecords(pool: Queryable, folders: readonly BlobFolder[]): Promise<void> {
  await pool.query(`delete from blob_garbage where after <= now() and ${IS_ONE_OF}`, columns(folders));
}

/**
 * Postpones folders that could not be removed, so that they do not hold up the others. A folder that is no longer due
 * (the file of an export was finished in the meantime) keeps its later time.
 */
export async function postponeGarbage(pool: Queryable, folders: readonly BlobFolder[]): Promise<void> {
  await pool.query(
    `update blob_garbage set after = now() + interval '1 hour' where after <= now() and ${IS_ONE_OF}`,
    columns(folders),
  );
}
