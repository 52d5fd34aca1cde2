/**
 * Records what the committed client was generated from, so that a test can detect a stale client without the generator.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { describeApis, type ApiName } from './documents.ts';

export const CLIENT_DIR = join(import.meta.dirname, '../../../clients/typescript');
export const RECORD_FILE = join(CLIENT_DIR, 'generated.json');

export interface GeneratedRecord {
  /** SHA-256 of the API's OpenAPI document. */
  document: string;
  /** SHA-256 over the generated files and their names. */
  files: string;
}

export type GeneratedRecords = Record<ApiName, GeneratedRecord>;

/** Computes the current hashes of the descriptions in the code and of the files in the folder. */
export async function currentRecords(): Promise<GeneratedRecords> {
  const { content, analytics, cabinet } = describeApis();
  return {
    content: await recordOf('content', content),
    analytics: await recordOf('analytics', analytics),
    cabinet: await recordOf('cabinet', cabinet),
  };
}

async function recordOf(name: ApiName, document: string): Promise<GeneratedRecord> {
  return { document: sha256(document), files: await hashFolder(join(CLIENT_DIR, 'src', name)) };
}

async function hashFolder(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const parts = await Promise.all(
    paths.map(async (path) => `${relative(folder, path).replaceAll('\\', '/')}\n${await readFile(path, 'utf8')}`),
  );
  return sha256(parts.join('\n'));
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
