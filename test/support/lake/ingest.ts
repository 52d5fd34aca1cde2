/** The ingest inside the test's own process, with a lake whose limits are reached quickly. */
import { Registry } from 'prom-client';
import { startIngest } from '../../../loops/ingest/ingest.ts';
import type { RunningProcess } from '../../../platform/process/lifecycle.ts';
import { createLogger } from '../../../platform/process/logger.ts';
import type { TestLake } from './lake.ts';

export interface TestIngestOptions {
  loops?: number;
  lakeCommitMs?: number;
  /** The registry of its metrics, for tests that read them. */
  registry?: Registry;
}

export function startTestIngest(
  databaseUrl: string,
  lake: TestLake['settings'],
  { loops = 1, lakeCommitMs = 200, registry = new Registry() }: TestIngestOptions = {},
): Promise<RunningProcess> {
  const settings = { databaseUrl, lake, enrich: { cityDatabase: null, dataCentres: null }, loops, lakeCommitMs };
  return startIngest(settings, createLogger('ingest', 'silent'), registry);
}
