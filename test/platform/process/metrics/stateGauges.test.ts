import { describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { registerStateGauges } from '../../../../platform/process/metrics/stateGauges.ts';

const GAUGES = [
  { name: 'attune_test_a', help: 'A', valueOf: ({ a }: { a: number; b: number }) => a },
  { name: 'attune_test_b', help: 'B', valueOf: ({ b }: { a: number; b: number }) => b },
];

describe('gauges of a state', () => {
  it('are read once per scrape', async () => {
    const registry = new Registry();
    let reads = 0;
    registerStateGauges(registry, async () => ({ a: ++reads, b: 7 }), GAUGES);
    expect(await registry.metrics()).toMatch(/attune_test_a 1\n[^]*attune_test_b 7\n/);
    expect(reads).toBe(1);
  });

  it.each([
    ['fails', () => Promise.reject(new Error('away'))],
    ['never ends', () => new Promise<never>(() => {})],
  ])('have no series if the reading %s, and do not block', async (_words, read) => {
    const registry = new Registry();
    registerStateGauges(registry, read, GAUGES);
    expect(await registry.metrics()).not.toMatch(/^attune_test_\w \d/m);
  });
});
