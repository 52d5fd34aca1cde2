/**
 * Runs the real upkeep: its workflows and activities on a separate database and lake, with a time-skipping clock.
 */
import { randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { createAnalyticsActivities } from '../../../activities/analytics/index.ts';
import { QUEUES } from '../../../domain/jobs/queues.ts';
import { createLogger } from '../../../platform/process/logger.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { openTestLake, type TestLake } from './lake.ts';
import { createTimeSkippingEnv } from '../temporal.ts';
import { testWorkflowBundle } from '../workflows/workflows.ts';

export interface Upkeep extends TestLake {
  database: TestDatabase;
  start(workflow: string): Promise<WorkflowHandle>;
}

export async function startUpkeep(): Promise<Upkeep> {
  const cleanUps: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (const cleanUp of cleanUps.toReversed()) await cleanUp();
  };
  try {
    const database = await createTestDatabase();
    cleanUps.push(() => database.drop());
    const test = await openTestLake(database.url);
    cleanUps.push(() => test.close());
    const temporal = await createTimeSkippingEnv();
    cleanUps.push(() => temporal.teardown());
    const shared = { connection: temporal.nativeConnection };
    const activities = createAnalyticsActivities({
      factMonths: 37,
      pool: database.pool,
      lake: test.lake,
      ledgerKey: Buffer.alloc(32, 'ledger'),
      logger: createLogger('test', 'silent'),
    });
    const workers = [
      await Worker.create({ ...shared, taskQueue: QUEUES.workflow, workflowBundle: await testWorkflowBundle() }),
      await Worker.create({ ...shared, taskQueue: QUEUES.analytics, activities }),
    ];
    const running = workers.map((worker) => worker.run());
    cleanUps.push(() => {
      for (const worker of workers) worker.shutdown();
      return Promise.all(running);
    });
    const start = (workflow: string) =>
      temporal.client.workflow.start(workflow, {
        workflowId: `${workflow}-${randomUUID()}`,
        taskQueue: QUEUES.workflow,
        args: [],
      });
    return { ...test, database, start, close };
  } catch (error) {
    await close();
    throw error;
  }
}
