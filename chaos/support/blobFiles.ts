/** What lies in a blob folder, and whether somebody knows of it. */
import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type pg from 'pg';

/** Every file below a folder, by its path from there: a blob's key. */
export async function filesOn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

/** Those that no row names and that nobody has announced for removal: halves, and what was forgotten. */
export async function strangersAmong(pool: pg.Pool, keys: readonly string[]): Promise<string[]> {
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
