import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SCHEDULES } from '../../../domain/jobs/schedules.ts';
import { Schedules } from '../../../loops/relay/schedules.ts';
import { createTestTemporal, type TestTemporal } from '../../support/temporal.ts';
import { eventually } from '../../support/eventually.ts';

let temporal: TestTemporal;
beforeAll(async () => {
  temporal = await createTestTemporal();
});
afterAll(() => temporal.close());

const handle = (id: string) => temporal.client.schedule.getHandle(id);

describe('Schedules', () => {
  it('creates every schedule once, even if several do it at once', async () => {
    const made = await Promise.all([new Schedules(temporal.client).pass(), new Schedules(temporal.client).pass()]);
    expect(made[0] + made[1]).toBe(SCHEDULES.length);
    expect(await new Schedules(temporal.client).pass()).toBe(0);
    const { spec, action, policies } = await handle('lake-retention').describe();
    expect(spec.calendars?.[0]).toMatchObject({ hour: [{ start: 1 }], minute: [{ start: 20 }] });
    expect(action).toMatchObject({ workflowType: 'retainLake', workflowId: 'retainLake', taskQueue: 'workflow' });
    expect(policies.overlap).toBe('SKIP');
    expect((await handle('lake-merge').describe()).spec.intervals?.[0]?.every).toBe(300_000);
  });

  it('recreates schedules that Temporal has lost', async () => {
    const schedules = new Schedules(temporal.client);
    await schedules.pass();
    await handle('lake-merge').delete();
    expect(await schedules.pass()).toBe(1);
  });

  it('updates the schedules of an older version and leaves a paused one paused', async () => {
    const [merge] = SCHEDULES;
    if (merge === undefined) throw new Error('no schedules');
    await handle(merge.id).pause('for a test');
    await new Schedules(temporal.client, [{ ...merge, at: { everyMinutes: 7 } }]).pass();
    const found = await eventually(async () => {
      const description = await handle(merge.id).describe();
      return description.spec.intervals?.[0]?.every === 420_000 ? description : null;
    }, 'the new interval');
    expect(found.state).toMatchObject({ paused: true, note: 'for a test' });
  });
});
