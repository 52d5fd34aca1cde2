/** Runs the analysis of items with a real database, a real Temporal and fake providers. */
import type { Client, WorkflowClient } from '@temporalio/client';
import { Worker, type NativeConnection, type WorkerOptions } from '@temporalio/worker';
import type pg from 'pg';
import { pino } from 'pino';
import { createShortTextActivity, type ShortTextActivities } from '../../../activities/ai/analyseShortText.ts';
import { createAiActivities } from '../../../activities/ai/index.ts';
import { createItemStepActivities, type ItemStepActivities } from '../../../activities/data/itemSteps.ts';
import { claimEntries, deleteEntries } from '../../../db/jobs/outbox.ts';
import { inTransaction } from '../../../db/pool.ts';
import type { StepModels } from '../../../domain/analysis/stepModels.ts';
import { QUEUES, type Queue } from '../../../domain/jobs/queues.ts';
import type { Step } from '../../../domain/analysis/steps.ts';
import type { BlobStore } from '../../../platform/blobs/createBlobStore.ts';
import type { Providers } from '../../../providers/types.ts';
import { startWorkflow } from '../../../loops/relay/startWorkflow.ts';
import { FAKE_MODELS } from './fakeProviders.ts';
import { testWorkflowBundle } from '../workflows/workflows.ts';

const logger = pino({ level: 'silent' });

/** Heartbeats reach the server, and cancellations the activity, at once instead of after 16 s. */
const PROMPT_BEATS = { maxHeartbeatThrottleInterval: 50, defaultHeartbeatThrottleInterval: 50 };

/** The database activities that the workflow calls. */
export type DataActivities = ItemStepActivities & ShortTextActivities;

export interface AnalysisOptions {
  pool: pg.Pool;
  nativeConnection: NativeConnection;
  namespace: string;
  providers: Providers;
  blobs?: BlobStore;
  /** The activities of the media queue; without them no worker serves that queue. */
  media?: object;
  /** Wraps the database activities that the workflow calls. */
  wrapData?: (activities: DataActivities) => DataActivities;
  /** The steps that run beside the workflow for short texts; none by default. */
  quickSteps?: readonly Step[];
  /** The model that is recorded for each step. */
  models?: StepModels;
  /** The clock by which analysis volume is counted. */
  clock?: () => Date;
  /** The queues to serve. The default is all of them, `media` only when it has activities. */
  queues?: readonly Queue[];
}

/** Starts a worker for each queue and returns a function that stops them. */
export async function startAnalysis(options: AnalysisOptions): Promise<() => Promise<void>> {
  const {
    nativeConnection: connection,
    namespace,
    queues = [QUEUES.workflow, QUEUES.ai, ...(options.media ? [QUEUES.media] : [])],
  } = options;
  const shared = { connection, namespace, shutdownGraceTime: 500, shutdownForceTime: 2_000, ...PROMPT_BEATS };
  const workers = await Promise.all(
    queues.map(async (taskQueue) => Worker.create({ ...shared, taskQueue, ...(await workOf(taskQueue, options)) })),
  );
  const running = workers.map((worker) => worker.run());
  return async () => {
    for (const worker of workers) worker.shutdown();
    await Promise.all(running);
  };
}

async function workOf(
  queue: Queue,
  options: AnalysisOptions,
): Promise<Pick<WorkerOptions, 'activities' | 'workflowBundle'>> {
  const { pool, providers, blobs = noBlobs, models = FAKE_MODELS, media = {}, wrapData = (same) => same } = options;
  const { quickSteps = [], clock } = options;
  const ai = { pool, blobs, providers, models, logger };
  if (queue === QUEUES.workflow)
    return {
      workflowBundle: await testWorkflowBundle(),
      activities: {
        ...wrapData({
          ...createItemStepActivities(pool, quickSteps, clock),
          ...createShortTextActivity(ai, { quickSteps, ...(clock && { clock }) }),
        }),
        ...createAiActivities(ai),
      },
    };
  return { activities: queue === QUEUES.ai ? createAiActivities(ai) : media };
}

const noBlobs: BlobStore = {
  putFile: () => Promise.resolve(),
  open: () => Promise.resolve(null),
  withLocalFiles: (keys, use) => use([...keys]),
  removeFolder: () => Promise.resolve(),
};

/** Runs one round of the relay: sends everything in the outbox to Temporal. */
export async function relayOnce(pool: pg.Pool, client: Client | { workflow: WorkflowClient }): Promise<string[]> {
  return inTransaction(pool, async (transaction) => {
    const entries = await claimEntries(transaction, 1_000);
    for (const entry of entries) await startWorkflow(client as Client, entry);
    await deleteEntries(
      transaction,
      entries.map((entry) => entry.id),
    );
    return entries.map((entry) => entry.entityId);
  });
}
