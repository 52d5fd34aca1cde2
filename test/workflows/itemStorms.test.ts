import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ITEM_CHANGED_SIGNAL } from '../../domain/workflowMessages.ts';
import { eventually } from '../support/eventually.ts';
import { createFakeProviders } from '../support/fakeProviders.ts';
import { putDeferred, scriptSummaries, timersOf, untilAborted } from '../support/itemScripts.ts';
import { countEvents, ItemStage } from '../support/itemStage.ts';
import { textItem } from '../support/project.ts';
import { createTestTemporal, type TestTemporal } from '../support/temporal.ts';

let temporal: TestTemporal;
let stage: ItemStage;

beforeAll(async () => {
  temporal = await createTestTemporal();
  stage = await ItemStage.open({ temporal });
}, 60_000);
afterEach(() => {
  Object.assign(stage.providers, createFakeProviders());
});
afterAll(async () => {
  await stage.close();
  await temporal.close();
});

describe('a storm of signals', () => {
  it('costs few plans and no work', async () => {
    const gate = Promise.withResolvers<void>();
    const { calls } = scriptSummaries(stage, async () => {
      await gate.promise;
      return 'итог';
    });
    await stage.put('storm', textItem());
    await eventually(() => calls() === 1, 'the summary');
    await storm('storm', 500);
    gate.resolve();
    const history = await stage.finish('storm');
    expect(calls()).toBe(1);
    expect(countEvents(history, 'workflowExecutionSignaledEventAttributes')).toBe(501);
    expect(await stage.look('storm')).toMatchObject({ status: 'ready' });
  }, 60_000);

  it('continues as new while a step only waits, which then goes on waiting', async () => {
    await putDeferred(stage, 'waiting-storm');
    const first = await runOf('waiting-storm');
    await storm('waiting-storm', 4_200);
    await eventually(async () => (await runOf('waiting-storm')) !== first, 'a new run', 40_000);
    const timer = await eventually(async () => timersOf(await stage.history('waiting-storm'))[0], 'its timer');
    expect(timer).toBeGreaterThan(500);
    expect(timer).toBeLessThanOrEqual(600);
    await stage.handle('waiting-storm').terminate('the test is over');
  }, 60_000);

  it('continues as new even over work, before the server refuses signals; the work is begun again', async () => {
    const { calls } = scriptSummaries(stage, async (call, _body, { signal }) => call > 1 ? 'итог' : untilAborted(signal));
    await stage.put('long-storm', textItem());
    await eventually(() => calls() === 1, 'the summary');
    const first = await runOf('long-storm');
    await storm('long-storm', 5_000);
    expect([calls(), await runOf('long-storm')]).toEqual([1, first]);
    await storm('long-storm', 1_100);
    await stage.finish('long-storm');
    expect([calls(), (await runOf('long-storm')) === first]).toEqual([2, false]);
    expect(await stage.look('long-storm')).toMatchObject({ status: 'ready', events: ['item.processed'] });
  }, 90_000);

  const runOf = async (itemId: string): Promise<string> => (await stage.handle(itemId).describe()).runId;

  async function storm(itemId: string, signals: number): Promise<void> {
    const handle = stage.handle(itemId);
    const sender = async (share: number): Promise<void> => {
      for (let sent = 0; sent < share; sent += 1) await handle.signal(ITEM_CHANGED_SIGNAL);
    };
    await Promise.all(Array.from({ length: 100 }, () => sender(signals / 100)));
  }
});
