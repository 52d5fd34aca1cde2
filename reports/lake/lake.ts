/** The lake, opened: queries and transactions, each on a connection of its own. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DuckDBInstance } from '@duckdb/node-api';
import type { Logger } from '../../process/logger.ts';
import { lentConnectionOf, type LakeConnection, type LentConnection } from './connection.ts';
import { createDatabase, SITES_DATABASE } from './database.ts';
import { ensureSchema } from './schema.ts';
import { createKeyRenewal } from './s3Keys.ts';
import type { LakeSettings } from './settings.ts';

export interface Lake extends LakeConnection {
  /** With a `tempDir` of its own, below the one that was given. */
  readonly settings: LakeSettings;
  /** Lends a connection: temporary tables and transactions are its own and end with `work`. */
  withConnection<T>(work: (connection: LentConnection) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/**
 * Opens the lake and makes or brings up to date its tables, `lake.hits` and so on (tables.ts). Safe from
 * several processes at once. A server that goes and comes back is found again by the next query.
 * @throws when the catalogue, the data or an extension cannot be reached, or the data path is not the one it was made with
 */
export async function openLake(settings: LakeSettings): Promise<Lake> {
  await mkdir(settings.tempDir, { recursive: true });
  // DuckDB takes it that nobody else writes there. Swept by the process, see process/workDir.ts.
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

/** As {@link openLake}, for a process that starts together with its database: tries for a minute. */
export async function openLakePatiently(settings: LakeSettings, logger: Logger): Promise<Lake> {
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
  const withConnection = async <T>(work: (connection: LentConnection) => Promise<T>): Promise<T> => {
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
      // The instance lives on until the last result is collected; its connections to PostgreSQL need not.
      for (const attached of ['lake', `database if exists ${SITES_DATABASE}`])
        await withConnection((connection) => connection.query(`detach ${attached}`)).catch(() => {});
      instance.closeSync();
      await rm(settings.tempDir, { recursive: true, force: true });
    },
  };
}
