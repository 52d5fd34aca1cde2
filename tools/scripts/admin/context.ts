/** The context of commands: the database from the environment, or that of the running development stack. */
import { resolve } from 'node:path';
import type pg from 'pg';
import type { Env } from '../../../config.ts';
import { createPool } from '../../../db/pool.ts';
import { SettingsReader } from '../../../platform/process/settingsReader.ts';
import { loadKeys, readDescription } from '../dev/settings/devFiles.ts';
import { UsageError } from './usageError.ts';

export interface AdminContext {
  pool: pg.Pool;
  /** The environment, with the settings that the stack gives its services. */
  env: Env;
  /** Reads the whole standard input. */
  readInput(): Promise<string>;
}

/** @throws {UsageError} when neither names a database. */
export async function openContext(env: Env): Promise<Omit<AdminContext, 'readInput'>> {
  const settings = readSetting(env, 'DATABASE_URL') === '' ? await stackSettings(env) : env;
  const databaseUrl = readSetting(settings, 'DATABASE_URL');
  return { pool: createPool({ databaseUrl, size: 2, applicationName: 'attune-admin' }), env: settings };
}

/**
 * Reads a setting as the processes do, from the environment or from the file that `NAME_FILE` names; empty without
 * either.
 * @throws {UsageError} when the file cannot be read
 */
export function readSetting(env: Env, name: string): string {
  const reader = new SettingsReader(env);
  const text = reader.text(name, '');
  if (reader.faults.length > 0) throw new UsageError(reader.faults.join('\n'));
  return text;
}

async function stackSettings(env: Env): Promise<Env> {
  const dataDir = resolve(env.ATTUNE_DATA_DIR?.trim() || 'data');
  const description = await readDescription(dataDir);
  if (description === null) {
    throw new UsageError(
      `no stack runs on ${dataDir}: run npm start first, or name its folder with ATTUNE_DATA_DIR or another database with DATABASE_URL`,
    );
  }
  const { secretKey } = await loadKeys(dataDir);
  return {
    REQUIRE_HTTPS: 'false',
    PUBLIC_URL: new URL(description.cabinet_url).origin,
    ...env,
    DATABASE_URL: description.database_url,
    SECRET_KEY: secretKey,
  };
}
