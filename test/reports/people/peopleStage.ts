/** Values of people in PostgreSQL, and a DuckDB that loads them as reports do. */
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { afterAll, beforeAll } from '@jest/globals';
import type pg from 'pg';
import { inTransaction } from '../../../db/pool.ts';
import { applyUserData } from '../../../db/sitePeople/applyTagAndServerData.ts';
import type { UserDataRecord } from '../../../domain/people/personData.ts';
import { connectionOf, type LakeConnection } from '../../../reports/lake/connection.ts';
import { loadPeople, type PeopleNeeds } from '../../../reports/people/index.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { testDuckdbExtensions } from '../../support/programs/engines.ts';

export interface PeopleStage {
  pool: pg.Pool;
  connection: LakeConnection;
  /** Stores data about people as the ingest does; by default the site is the source, and the time is now. */
  tell(site: string, ...told: (Pick<UserDataRecord, 'data'> & Partial<UserDataRecord>)[]): Promise<void>;
  load(site: string, needs: Partial<PeopleNeeds>, isSample?: boolean): Promise<void>;
  /** Loads values and returns them, each as the JSON of a {@link Row}, in order. */
  loaded(site: string, needs: Partial<PeopleNeeds>): Promise<string[]>;
}

export type Row = [person: string, attribute: string, param: string | null, value: string, source: string];

export const sorted = (rows: Row[]): string[] => rows.map((row) => JSON.stringify(row)).sort();
export const rowOf = (text: string): Row => JSON.parse(text) as Row;

/** Registers the hooks; call it before other hooks of the file. */
export function stagePeople(): PeopleStage {
  const stage = {} as PeopleStage;
  let db: TestDatabase;
  let instance: DuckDBInstance;
  let duck: DuckDBConnection;
  beforeAll(async () => {
    db = await createTestDatabase();
    stage.pool = db.pool;
    instance = await DuckDBInstance.create(':memory:', {
      extension_directory: await testDuckdbExtensions(),
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
    });
    duck = await instance.connect();
    stage.connection = connectionOf(duck);
    await stage.connection.query('load postgres_scanner');
    await stage.connection.query(`attach '${db.url}' as pg (type postgres, read_only)`);
  });
  afterAll(async () => {
    duck?.closeSync();
    instance?.closeSync();
    await db?.drop();
  });
  stage.tell = (site, ...told) =>
    inTransaction(stage.pool, (client) =>
      applyUserData(
        client,
        site,
        told.map((one) => ({
          visitorId: null,
          userId: null,
          fingerprint: null,
          source: 'site',
          at: new Date(),
          ...one,
        })),
      ),
    );
  stage.load = async (site, needs, isSample) => {
    await stage.connection.query('begin');
    await loadPeople(stage.connection, site, { links: true, attributes: [], params: [], ...needs }, isSample);
    await stage.connection.query('commit');
  };
  stage.loaded = async (site, needs) => {
    await stage.load(site, needs);
    const rows = await stage.connection.query<Record<string, string>>(
      'select person::VARCHAR as person, attribute, param, value, source from effective_values',
    );
    return sorted(rows.map((row) => Object.values(row)) as unknown as Row[]);
  };
  return stage;
}
