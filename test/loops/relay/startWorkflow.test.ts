import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ClaimedEntry } from '../../../db/jobs/outbox.ts';
import { JOB_KINDS, JOB_WORKFLOWS } from '../../../domain/jobs/jobs.ts';
import { PRIORITY } from '../../../domain/jobs/queues.ts';
import { isRunning, startWorkflow, workflowIdOf } from '../../../loops/relay/startWorkflow.ts';
import { summaryOf } from '../../../loops/relay/workflowSummary.ts';
import { eventually } from '../../support/eventually.ts';
import { createTestTemporal, type TestTemporal } from '../../support/temporal.ts';

const PROJECT = 'abcdefghijkl';
const DELIVERY = '01990000-0000-7000-8000-000000000001';

let temporal: TestTemporal;

beforeAll(async () => {
  temporal = await createTestTemporal();
});
afterAll(() => temporal.close());

function entry(kind: ClaimedEntry['kind'], entityId: string, more: Partial<ClaimedEntry> = {}): ClaimedEntry {
  return {
    id: '1',
    kind,
    projectId: PROJECT,
    entityId,
    priority: PRIORITY.single,
    requestId: 'req-1',
    refusals: 0,
    waitMs: 0,
    attemptsMade: 0,
    scheduleStart: 0,
    webhookId: null,
    errorCode: null,
    dueAt: null,
    ...more,
  };
}

async function countSignals(workflowId: string): Promise<number> {
  const { events } = await temporal.client.workflow.getHandle(workflowId).fetchHistory();
  return (events ?? []).filter((event) => event.workflowExecutionSignaledEventAttributes).length;
}

describe('startWorkflow', () => {
  // 191 characters are the maximum length of an item id (migrations/0002_items.sql).
  it.each([
    ['Latin letters', 'a'.repeat(191)],
    ['Cyrillic letters', 'щ'.repeat(191)],
    ['CJK characters', '語'.repeat(191)],
    ['emoji', '😀'.repeat(191)],
  ])('starts a workflow with the longest id of %s, by which it can be found', async (_, itemId) => {
    const work = entry('item', itemId);
    await startWorkflow(temporal.client, work);
    expect(await isRunning(temporal.client, work)).toBe(true);
    const query = `AttuneTenant = '${PROJECT}' and AttuneKind = 'item' and AttuneEntity = '${itemId}'`;
    await eventually(
      async () => (await temporal.client.workflow.count(query)).count === 1,
      `one workflow of ${itemId}`,
    );
  });

  it.each(['щ', '語', '😀', '"', '\n'])(
    'keeps the summary of a long id of %j within the size that servers accept',
    async (character) => {
      const work = entry('item', character.repeat(190));
      await startWorkflow(temporal.client, work);
      const description = await temporal.client.workflow.getHandle(workflowIdOf(work)).describe();
      expect(await description.staticSummary()).toBe(summaryOf(`analysis of ${work.entityId}`));
      const { data, metadata } = description.raw.executionConfig?.userMetadata?.summary ?? {};
      const bytes =
        (data?.length ?? Infinity) +
        Object.entries(metadata ?? {}).reduce((sum, [name, value]) => sum + name.length + value.length + 8, 0);
      expect(bytes).toBeLessThan(400);
    },
  );

  it('signals a running analysis to look again', async () => {
    const work = entry('item', 'twice');
    await startWorkflow(temporal.client, work);
    await startWorkflow(temporal.client, work);
    expect(await countSignals(workflowIdOf(work))).toBe(2);
  });

  it('signals the running export workflow of a site when another export is requested', async () => {
    const work = entry('exports', PROJECT);
    await startWorkflow(temporal.client, work);
    await startWorkflow(temporal.client, { ...work, requestId: 'req-2' });
    expect(workflowIdOf(work)).toBe(`exports/${PROJECT}`);
    expect(await isRunning(temporal.client, work)).toBe(true);
    expect(await countSignals(workflowIdOf(work))).toBe(2);
  });

  it('lets Temporal wait for the first retry without a workflow task, unless a signal comes first', async () => {
    const work = entry('delivery', '01990000-0000-7000-8000-000000000002', { attemptsMade: 1, waitMs: 60_000 });
    const handle = temporal.client.workflow.getHandle(workflowIdOf(work));
    const tasks = async () =>
      ((await handle.fetchHistory()).events ?? []).filter((event) => event.workflowTaskScheduledEventAttributes).length;
    await startWorkflow(temporal.client, work);
    expect(await isRunning(temporal.client, work)).toBe(true);
    expect(await tasks()).toBe(0);
    // Temporal accepted it, and its answer was lost.
    await startWorkflow(temporal.client, work);
    expect([await tasks(), await countSignals(workflowIdOf(work))]).toEqual([0, 0]);
    await startWorkflow(temporal.client, { ...work, attemptsMade: 2 });
    expect(await tasks()).toBe(1);
  });

  it('tells a running delivery its current state', async () => {
    const work = entry('delivery', DELIVERY, { attemptsMade: 1, waitMs: 60_000 });
    await startWorkflow(temporal.client, work);
    expect(await countSignals(workflowIdOf(work))).toBe(0);
    await startWorkflow(temporal.client, { ...work, attemptsMade: 8, scheduleStart: 7, dueAt: 1_700_000_000_000 });
    const { events } = await temporal.client.workflow.getHandle(workflowIdOf(work)).fetchHistory();
    const signals = (events ?? []).flatMap(({ workflowExecutionSignaledEventAttributes: signal }) =>
      signal ? [[signal.signalName, JSON.parse(Buffer.from(signal.input?.payloads?.[0]?.data ?? []).toString())]] : [],
    );
    expect(signals).toEqual([
      ['deliveryMoved', { attemptsMade: 8, waitMs: 60_000, scheduleStart: 7, dueAt: 1_700_000_000_000 }],
    ]);
    const { memo } = await temporal.client.workflow.getHandle(workflowIdOf(work)).describe();
    expect(memo).toEqual({ requestId: 'req-1' });
  });

  it.each(JOB_KINDS)('starts the workflow of a job of kind %s once, with ids only', async (kind) => {
    const work = entry(kind, `entity-${kind}`);
    await startWorkflow(temporal.client, work);
    await startWorkflow(temporal.client, work);
    const handle = temporal.client.workflow.getHandle(`${kind}/${PROJECT}/entity-${kind}`);
    const { type, memo } = await handle.describe();
    expect([type, memo]).toEqual([JOB_WORKFLOWS[kind].workflow, { requestId: 'req-1' }]);
    expect(await countSignals(workflowIdOf(work))).toBe(0);
    const [started] = (await handle.fetchHistory()).events ?? [];
    const { input } = started?.workflowExecutionStartedEventAttributes ?? {};
    expect(input?.payloads?.map(({ data }) => JSON.parse(Buffer.from(data ?? []).toString()) as unknown)).toEqual([
      { projectId: PROJECT, entityId: work.entityId, tellsOutcome: true },
    ]);
    await eventually(
      async () =>
        (await temporal.client.workflow.count(`AttuneTenant = '${PROJECT}' and AttuneKind = '${kind}'`)).count === 1,
      `one workflow of ${kind}`,
    );
  });

  it('starts the workflow of a job again if it was terminated', async () => {
    const work = entry('user-link', 'terminated');
    await startWorkflow(temporal.client, work);
    await temporal.client.workflow.getHandle(workflowIdOf(work)).terminate();
    expect(await isRunning(temporal.client, work)).toBe(false);
    await startWorkflow(temporal.client, work);
    expect(await isRunning(temporal.client, work)).toBe(true);
  });
});

describe('isRunning', () => {
  it('is false for a workflow that was never started, and for one that has ended', async () => {
    expect(await isRunning(temporal.client, entry('item', 'nobody'))).toBe(false);
    const work = entry('item', 'ended');
    await startWorkflow(temporal.client, work);
    await temporal.client.workflow.getHandle(workflowIdOf(work)).terminate();
    expect(await isRunning(temporal.client, work)).toBe(false);
  });
});
