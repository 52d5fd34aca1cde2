import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { readItem } from '../../db/items/readItem.ts';
import { deleteItem, patchItem, putItem, reprocessItem } from '../../db/items/writeItems.ts';
import { itemWorkflowId } from '../../domain/jobs/ids.ts';
import { ProviderError } from '../../providers/errors.ts';
import { relayOnce, startAnalysis } from '../support/items/analysis.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createFakeProviders } from '../support/items/fakeProviders.ts';
import { countEvents, ItemStage } from '../support/items/itemStage.ts';
import { createTestProject, textItem } from '../support/project.ts';
import { keepHistory } from '../support/workflows/replay.ts';
import { createTestTemporal, type TestTemporal } from '../support/temporal.ts';

const ALL = { transcript: true, frames: true, searchChunks: true };

describe('the workflow item', () => {
  let database: TestDatabase;
  let temporal: TestTemporal;
  let projectId: string;
  let stop: () => Promise<void>;
  const providers = createFakeProviders();

  beforeAll(async () => {
    database = await createTestDatabase();
    temporal = await createTestTemporal();
    projectId = await createTestProject(database.pool);
    stop = await startAnalysis({ pool: database.pool, ...temporal, providers });
  });
  afterAll(async () => {
    await stop();
    await temporal.close();
    await database.drop();
  });

  async function analyse(itemId: string): Promise<void> {
    await relayOnce(database.pool, temporal.client);
    await temporal.client.workflow.getHandle(itemWorkflowId(projectId, itemId)).result();
  }

  // proves: states/ready
  it('takes a text from queued to ready', async () => {
    const { created, item } = await putItem(database.pool, {
      projectId,
      itemId: 'a',
      content: textItem(),
      origin: 'api',
      requestId: null,
    });
    expect(created).toBe(true);
    expect(item.status).toBe('queued');
    await analyse('a');
    await keepHistory('item-text', temporal.client.workflow.getHandle(itemWorkflowId(projectId, 'a')));
    const stored = await readItem(database.pool, projectId, 'a', ALL);
    expect(stored).toMatchObject({
      status: 'ready',
      processing: { prepare: 'skipped', speech: 'skipped', vision: 'skipped', summary: 'done', embedding: 'done' },
      summary: { summary: 'о чём: Заголовок', tags: ['тег'], moderation: { level: 'none' } },
    });
    expect(stored?.searchChunks).toHaveLength(2);
  });

  // proves: states/write-text
  it('does nothing after a write that outdates nothing, and recomputes only the step that is requested', async () => {
    providers.calls.length = 0;
    await patchItem(database.pool, { projectId, itemId: 'a', patch: { available: false }, requestId: null });
    expect(await relayOnce(database.pool, temporal.client)).toEqual([]);
    await reprocessItem(database.pool, { projectId, itemId: 'a', steps: ['embedding'], requestId: null });
    await analyse('a');
    expect(providers.calls).toEqual(['embedding']);
  });

  // proves: states/failed, decisions-items/nothing-to-summarise, decisions-items/no-content
  it('fails an item with nothing to embed', async () => {
    await putItem(database.pool, {
      projectId,
      itemId: 'empty',
      content: textItem({ title: null, body: '  ' }),
      origin: 'api',
      requestId: null,
    });
    await analyse('empty');
    expect(await readItem(database.pool, projectId, 'empty', ALL)).toMatchObject({
      status: 'failed',
      processing: { summary: 'skipped', embedding: 'failed' },
      processingErrors: { embedding: { code: 'no_content' } },
    });
  });

  it('ends without work for a deleted item', async () => {
    await putItem(database.pool, { projectId, itemId: 'gone', content: textItem(), origin: 'api', requestId: null });
    await deleteItem(database.pool, { projectId, itemId: 'gone' });
    await analyse('gone');
    expect(await readItem(database.pool, projectId, 'gone', ALL)).toMatchObject({
      deleted: true,
      status: 'queued',
      summary: null,
    });
  });
});

describe('the workflow item with a text that is analysed at once', () => {
  let temporal: TestTemporal;
  let stage: ItemStage;

  beforeAll(async () => {
    temporal = await createTestTemporal();
    stage = await ItemStage.open({ temporal, quickSteps: ['summary', 'embedding'] });
  });
  afterEach(() => {
    Object.assign(stage.providers, createFakeProviders());
  });
  afterAll(async () => {
    await stage.close();
    await temporal.close();
  });

  it('needs one activity and one workflow task', async () => {
    await stage.put('short', textItem());
    const history = await stage.finish('short');
    expect(await stage.look('short')).toMatchObject({ status: 'ready', events: ['item.processed'] });
    expect(countEvents(history, 'markerRecordedEventAttributes')).toBe(1);
    expect(countEvents(history, 'workflowTaskScheduledEventAttributes')).toBe(1);
    expect(countEvents(history, 'activityTaskScheduledEventAttributes')).toBe(0);
    await keepHistory('item-at-once', stage.handle('short'));
  });

  it('runs the steps one by one when one of them fails', async () => {
    let calls = 0;
    stage.providers.summary = {
      model: 'fake-1',
      run: () => {
        calls += 1;
        return Promise.reject(new ProviderError('refused', 'provider_refused', 'no'));
      },
    };
    await stage.put('refused', textItem());
    const history = await stage.finish('refused');
    expect(await stage.look('refused')).toMatchObject({
      status: 'partial',
      steps: { summary: { state: 'failed', error: { code: 'provider_refused' } }, embedding: { state: 'done' } },
    });
    expect(calls).toBe(2);
    expect(countEvents(history, 'markerRecordedEventAttributes')).toBe(3);
    await keepHistory('item-at-once-failed', stage.handle('refused'));
  });
});
