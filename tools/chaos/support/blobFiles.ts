/** Lists the files in a blob folder, and those that nothing refers to. */
import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type pg from 'pg';

/** Returns every file below a folder, by its path from there: a blob's key. */
export async function filesOn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

/** Returns the keys that no row names and that are not announced for removal: partial or forgotten files. */
export async function orphanedKeys(pool: pg.Pool, keys: readonly string[]): Promise<string[]> {
  const { rows } = await pool.query<{ key: string }>(
    `select key from unnest($1::text[]) as key
      where not exists (select from item_frames where blob_key = key)
        and not exists (select from item_media where key in (audio_key, subtitles_key))
        and not exists (select from imports where blob_key = key)
        and not exists (select from blob_garbage where starts_with(key, folder || '/'))`,
    [keys],
  );
  return rows.map(({ key }) => key);
}
