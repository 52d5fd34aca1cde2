/** Every query and batch recipe of docs/operations.md, run against a real server with the real workflows. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Worker } from '@temporalio/worker';
import type { ClaimedEntry } from '../../db/jobs/outbox.ts';
import { faultError } from '../../domain/items/errorCodes.ts';
import type { ImportProgress } from '../../domain/jobs/imports.ts';
import type { PassChunk } from '../../domain/people/historyPasses.ts';
import { QUEUES } from '../../domain/jobs/queues.ts';
import { mapSteps, type Step, type StepRecord } from '../../domain/analysis/steps.ts';
import type { RetryInput, RetryReport } from '../../domain/webhooks/deliveryStates.ts';
import type { ItemPlan, ItemWorkflowInput } from '../../domain/jobs/workflowMessages.ts';
import { startWorkflow, workflowIdOf } from '../../loops/relay/startWorkflow.ts';
import { askBroker } from '../support/servers/brokerClient.ts';
import { eventually } from '../support/eventually.ts';
import { keepHistory } from '../support/workflows/replay.ts';
import { createTestTemporal, type TestTemporal } from '../support/temporal.ts';
import { testWorkflowBundle } from '../support/workflows/workflows.ts';
import { readText } from './support/compose.ts';

const PROJECT = 'abcdefghijkl';
const WEBHOOK = '01990000-0000-7000-8000-00000000000a';
const DELIVERIES: Record<string, string> = {
  retried: '01990000-0000-7000-8000-000000000001',
  failed: '01990000-0000-7000-8000-000000000002',
  dropped: '01990000-0000-7000-8000-000000000003',
};
const HOUR = 3_600_000;

let temporal: TestTemporal;
let stop: () => Promise<void>;

type Records = Partial<Record<Step, Partial<StepRecord>>>;

/** The plans of the items: each item is in the state that its id names. */
const ITEMS: Record<string, Records> = {
  ready: {},
  clip: { prepare: { state: 'deferred', error: faultError('media_unavailable') }, speech: { state: 'queued' } },
  'no-speech': { speech: { state: 'failed', error: faultError('provider_rejected') } },
  'no-volume': { summary: { state: 'waiting' } },
};

function readPlan({ itemId }: ItemWorkflowInput): Promise<ItemPlan> {
  const records = ITEMS[itemId] ?? {};
  const steps = mapSteps((step): StepRecord => ({
    state: 'done',
    revision: 1,
    deferrals: 0,
    retryAt: null,
    error: null,
    ...records[step],
  }));
  const retryInMs = steps.prepare.state === 'deferred' ? { prepare: HOUR } : {};
  return Promise.resolve({ steps, todo: { prepare: [], speech: [], vision: [] }, retryInMs, quick: [] });
}

function attemptDelivery({ deliveryId, attempt }: RetryInput): Promise<RetryReport> {
  const failure = { errorCode: 'http_status' as const, responseStatus: 503 };
  const reports: Record<string, RetryReport> = {
    [DELIVERIES['retried'] ?? '']: { state: 'failed', attemptsMade: attempt, ...failure, retryInMs: HOUR },
    [DELIVERIES['failed'] ?? '']: { state: 'settled', status: 'failed', attemptsMade: 7, ...failure },
    [DELIVERIES['dropped'] ?? '']: { state: 'settled', status: 'dropped', attemptsMade: 1 },
  };
  return Promise.resolve(reports[deliveryId] ?? { state: 'busy' });
}

const importChunk = (): Promise<ImportProgress> =>
  Promise.resolve({ state: 'failed', done: 1, failed: 0, percent: 50 });

const purgeUser = () => Promise.resolve<PassChunk>({ rows: 0, state: 'passed' });

function entryOf(kind: 'item' | 'delivery' | 'user-delete' | 'import', entityId: string): ClaimedEntry {
  const delivery = kind === 'delivery' ? { webhookId: WEBHOOK, errorCode: 'timeout', attemptsMade: 1 } : {};
  return {
    id: '1',
    kind,
    projectId: PROJECT,
    entityId,
    priority: 2,
    requestId: null,
    refusals: 0,
    waitMs: 0,
    attemptsMade: 0,
    scheduleStart: 0,
    dueAt: null,
    webhookId: null,
    errorCode: null,
    ...delivery,
  };
}

const ENTRIES = [
  ...Object.keys(ITEMS).map((id) => entryOf('item', id)),
  ...Object.values(DELIVERIES).map((id) => entryOf('delivery', id)),
  entryOf('user-delete', '7'),
  entryOf('import', '8'),
];
const ids = (...names: string[]): string[] =>
  names.map((name) => (name in DELIVERIES ? `delivery/${DELIVERIES[name]}` : `item/${PROJECT}/${name}`)).sort();

/** Each query of the page, with the workflows that it finds. */
const FOUND: Record<string, string[]> = {
  "AttuneTenant = '$PROJECT' AND ExecutionStatus = 'Running'": [
    ...ids('clip', 'retried'),
    `user-delete/${PROJECT}/7`,
  ].sort(),
  "AttuneEntity = 'clip'": ids('clip'),
  "AttuneTenant = '$PROJECT' AND AttuneKind = 'user-delete'": [`user-delete/${PROJECT}/7`],
  "AttuneKind = 'upkeep'": [],
  "AttuneKind = 'training' AND AttuneTenant = '$PROJECT'": [],
  "AttuneKind = 'item'": ids('clip', 'ready', 'no-speech', 'no-volume'),
  "AttuneKind = 'item' AND AttuneOutcome = 'deferred' AND AttuneErrorCode = 'media_unavailable'": ids('clip'),
  "AttuneTenant = '$PROJECT' AND AttuneOutcome = 'deferred' AND ExecutionStatus = 'Running'": ids('clip'),
  "AttuneKind = 'item' AND AttuneStep = 'speech' AND AttuneOutcome IN ('failed', 'partial')": ids('no-speech'),
  "AttuneKind = 'item' AND AttuneOutcome = 'waiting'": ids('no-volume'),
  "AttuneWebhook = '$WEBHOOK' AND ExecutionStatus = 'Running'": ids('retried'),
  "AttuneWebhook = '$WEBHOOK' AND ExecutionStatus = 'Failed'": ids('failed'),
  "AttuneKind = 'delivery' AND ExecutionStatus = 'Failed' AND AttuneErrorCode = 'http_status'": ids('failed'),
  "AttuneKind = 'delivery' AND AttuneOutcome = 'dropped'": ids('dropped'),
  "AttuneKind = 'import' AND ExecutionStatus = 'Failed'": [`import/${PROJECT}/8`],
  "AttuneTenant = '$PROJECT' AND AttuneKind = 'item' AND ExecutionStatus = 'Running'": ids('clip'),
  "AttuneKind = 'delivery' AND ExecutionStatus = 'Running'": ids('retried'),
};

const OPERATIONS = readText('docs/operations.md');
const recipes = [...OPERATIONS.matchAll(/^temporal (.+?)(?: {2,}#.*)?$/gm)].map(([, words = '']) => words.trim());
const queries = [...OPERATIONS.matchAll(/--query "([^"]+)"/g)].map(([, query = '']) => query);

const filled = (text: string): string =>
  text
    .replaceAll('$PROJECT', PROJECT)
    .replaceAll('$WEBHOOK', WEBHOOK)
    .replaceAll('$DELIVERY', DELIVERIES['retried'] ?? '');

async function find(query: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { workflowId } of temporal.client.workflow.list({ query: filled(query) })) found.push(workflowId);
  return found.sort();
}

/** Waits, because Temporal updates its visibility store with a short delay. */
const untilFound = (query: string, expected: readonly string[]) =>
  eventually(async () => (await find(query)).join() === expected.join(), `${expected.join()} by ${query}`);

/** Runs the page's line with this beginning, as its shell function would. */
async function runRecipe(beginning: string): Promise<string> {
  const words = recipes.find((recipe) => recipe.startsWith(beginning));
  if (words === undefined) throw new Error(`the page has no line "temporal ${beginning} …"`);
  const args = [...filled(words).matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? '');
  const { path } = await askBroker<{ path: string }>('/temporal-cli');
  const server = ['--address', temporal.address, '--namespace', temporal.namespace];
  const { stdout } = await promisify(execFile)(path, [...args, ...server]);
  return stdout;
}

beforeAll(async () => {
  temporal = await createTestTemporal();
  const shared = { connection: temporal.nativeConnection, namespace: temporal.namespace };
  const workers = await Promise.all([
    Worker.create({
      ...shared,
      taskQueue: QUEUES.workflow,
      workflowBundle: await testWorkflowBundle(),
      activities: { readPlan, analyseOrPlan: readPlan },
    }),
    Worker.create({ ...shared, taskQueue: QUEUES.webhook, activities: { attemptDelivery } }),
    Worker.create({ ...shared, taskQueue: QUEUES.data, activities: { importChunk, purgeUser } }),
  ]);
  const running = workers.map((worker) => worker.run());
  stop = async () => {
    for (const worker of workers) worker.shutdown();
    await Promise.all(running);
  };
  await Promise.all(ENTRIES.map((entry) => startWorkflow(temporal.client, entry)));
});
afterAll(async () => {
  await stop();
  await temporal.close();
});

describe('the queries of the page about operations', () => {
  it('are all tested here', () => {
    expect(queries.filter((query) => !(query in FOUND))).toEqual([]);
  });

  it.each(Object.entries(FOUND))('find %s as intended', async (query, expected) => {
    expect(queries).toContain(query);
    await untilFound(query, expected);
  });

  it('leave histories that a later version can replay', async () => {
    const histories = await Promise.all(
      [
        ['item-told-deferred', 'clip'],
        ['item-told-partial', 'no-speech'],
        ['delivery-told-failed', 'failed'],
      ].map(([name = '', work = '']) => keepHistory(name, temporal.client.workflow.getHandle(ids(work)[0] ?? ''))),
    );
    for (const { events } of histories)
      expect(events?.some((event) => event.upsertWorkflowSearchAttributesEventAttributes)).toBe(true);
  });

  it('add only one event to the history of an ordinary analysis', async () => {
    const { events } = await temporal.client.workflow.getHandle(workflowIdOf(entryOf('item', 'ready'))).fetchHistory();
    expect(events?.filter((event) => event.upsertWorkflowSearchAttributesEventAttributes)).toHaveLength(1);
  });
});

describe('the recipes for many workflows', () => {
  const runsOf = async (query: string): Promise<string[]> => {
    const runs: string[] = [];
    for await (const { runId } of temporal.client.workflow.list({ query: filled(query) })) runs.push(runId);
    return runs;
  };

  it('pause one workflow and resume it', async () => {
    const handle = temporal.client.workflow.getHandle(ids('retried')[0] ?? '');
    await runRecipe('workflow pause');
    await eventually(async () => (await handle.describe()).raw.workflowExecutionInfo?.status === 8, 'the pause');
    await runRecipe('workflow unpause');
    expect((await handle.describe()).status.name).toBe('RUNNING');
  });

  it('reset the workflows that a query finds, in a new run', async () => {
    const query = "AttuneKind = 'delivery' AND ExecutionStatus = 'Running'";
    const before = await runsOf(query);
    await runRecipe('workflow reset');
    await eventually(async () => {
      const now = await runsOf(query);
      return now.length === 1 && now[0] !== before[0];
    }, 'the new run');
    expect(await runRecipe('batch list')).toMatch(/Completed|Running/);
  });

  it('terminate the workflows that a query finds', async () => {
    const handle = temporal.client.workflow.getHandle(ids('clip')[0] ?? '');
    await runRecipe('workflow terminate --yes');
    await expect(handle.result()).rejects.toThrow('start again');
  });
});
