import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCounter } from '../../../../../tools/traffic/index.ts';
import { loadPlan, savePlan } from '../../../../../tools/scripts/dev/sampleTraffic/trafficPlan.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'attune-plan-'));
});
afterAll(async () => {
  await rm(dir, { recursive: true });
});

describe('the plan of a data folder', () => {
  it('is made once: after an interruption the same traffic is sent again', async () => {
    const first = await loadPlan(dir, 7, Date.parse('2026-11-20T12:00:30Z'));
    expect(first).toEqual({
      seed: 1,
      days: 7,
      visitorsPerDay: 30,
      until: Date.parse('2026-11-20T12:00:00Z'),
      sent: null,
    });
    expect(await loadPlan(dir, 90, Date.parse('2026-11-21T12:00:00Z'))).toEqual(first);
  });

  it('remembers what was sent', async () => {
    const plan = { ...(await loadPlan(dir, 7, 0)), sent: createCounter().summary() };
    await savePlan(dir, { ...plan, sent: { ...plan.sent, from: 1, to: 2, visits: 12 } });
    expect((await loadPlan(dir, 7, 0)).sent?.visits).toBe(12);
  });
});
