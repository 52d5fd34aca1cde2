/** The open lake: queries and transactions, each on its own connection. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DuckDBInstance } from '@duckdb/node-api';
import type { Logger } from '../../platform/process/logger.ts';
import { lentConnectionOf, type LakeConnection, type InterruptibleConnection } from './connection.ts';
import { createDatabase, SITES_DATABASE } from './database.ts';
import { ensureSchema } from './lakeSchema.ts';
import { createKeyRenewal } from './s3Keys.ts';
import type { LakeSettings } from './lakeSettings.ts';

export interface Lake extends LakeConnection {
  /** The settings, with a `tempDir` below the given one. */
  readonly settings: LakeSettings;
  /** Lends a connection; its temporary tables and transactions are private and end with `work`. */
  withConnection<T>(work: (connection: InterruptibleConnection) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/**
 * Opens the lake and creates or upgrades its tables, `lake.hits` and so on (tables.ts). Several processes may do so at
 * once. After a restart of the server, the next query reconnects.
 * @throws if the catalogue, the data or an extension is unreachable, or the data path is not the one that the lake was
 * created with
 */
export async function openLake(settings: LakeSettings): Promise<Lake> {
  await mkdir(settings.tempDir, { recursive: true });
  // DuckDB assumes that nobody else writes there. The process sweeps it (platform/disk/workDir.ts).
  const own = { ...settings, tempDir: await mkdtemp(join(settings.tempDir, `${process.pid}-`)) };
  try {
    return lakeOf(await ensureSchema(own, () => createDatabase(own)), own);
  } catch (error) {
    await rm(own.tempDir, { recursive: true, force: true });
    throw error;
  }
}

const OPEN_TRIES = 60;
const OPEN_PAUSE_MS = 1_000;

/**
 * Opens the lake like {@link openLake}, for a process that starts together with its database: it retries for a minute.
 */
export async function openLakeWithRetry(settings: LakeSettings, logger: Logger): Promise<Lake> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await openLake(settings);
    } catch (error) {
      if (tries >= OPEN_TRIES) throw error;
      if (tries === 1) logger.warn({ err: error }, 'the lake cannot be opened yet');
    }
    await sleep(OPEN_PAUSE_MS);
  }
}

function lakeOf(instance: DuckDBInstance, settings: LakeSettings): Lake {
  const inUse = new Set<Promise<unknown>>();
  const renewKeys = createKeyRenewal(settings.data);
  const withConnection = async <T>(work: (connection: InterruptibleConnection) => Promise<T>): Promise<T> => {
    const connection = await instance.connect();
    const running = renewKeys(connection)
      .then(() => work(lentConnectionOf(connection)))
      .finally(() => connection.closeSync());
    inUse.add(running);
    try {
      return await running;
    } finally {
      inUse.delete(running);
    }
  };
  return {
    settings,
    withConnection,
    query: (sql, params) => withConnection((connection) => connection.query(sql, params)),
    async close() {
      await Promise.allSettled(inUse);
      // The instance lives until its last result is collected; its connections to PostgreSQL can be closed now.
      for (const attached of ['lake', `database if exists ${SITES_DATABASE}`])
        await withConnection((connection) => connection.query(`detach ${attached}`)).catch(() => {});
      instance.closeSync();
      await rm(settings.tempDir, { recursive: true, force: true });
    },
  };
}
