/** An ingest over its own database and lake, which all tests of a file share. */
import { afterAll, afterEach, beforeAll } from '@jest/globals';
import type pg from 'pg';
import { Registry } from 'prom-client';
import type { RunningProcess } from '../../../../platform/process/lifecycle.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { eventually } from '../../../support/eventually.ts';
import { startTestIngest } from '../../../support/lake/ingest.ts';
import { openTestLake, type TestLake } from '../../../support/lake/lake.ts';
import { isInLake } from './inbox.ts';

export interface IngestStage {
  pool: pg.Pool;
  testLake: TestLake;
  /** Starts an ingest, which stops after the test. @returns the registry of its metrics */
  ingest(loops?: number, lake?: TestLake['settings']): Promise<Registry>;
  /** Stops the ingest that was started first. */
  stopFirst(): Promise<void>;
  /** Waits until all work is finished. */
  inLake(): Promise<unknown>;
}

/** Registers the hooks; call it before other hooks of the file. */
export function stageIngest(): IngestStage {
  const stage = {} as IngestStage;
  const running: RunningProcess[] = [];
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
    stage.pool = database.pool;
    stage.testLake = await openTestLake(database.url);
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((one) => one.close()));
  });
  afterAll(async () => {
    await stage.testLake?.close();
    await database?.drop();
  });
  stage.ingest = async (loops = 2, lake = stage.testLake.settings) => {
    const registry = new Registry();
    running.push(await startTestIngest(database.url, lake, { loops, registry }));
    return registry;
  };
  stage.stopFirst = async () => {
    await running.shift()?.close();
  };
  stage.inLake = () => eventually(() => isInLake(stage.pool), 'everything in the lake');
  return stage;
}

/** Reads a metric of the ingest. @param labels the labels that its value must have */
export async function valueOf(
  registry: Registry,
  name: string,
  labels: Record<string, string> = {},
): Promise<number | undefined> {
  const metric = await registry.getSingleMetric(name)?.get();
  return metric?.values.find((value) => Object.entries(labels).every(([key, text]) => value.labels[key] === text))
    ?.value;
}
