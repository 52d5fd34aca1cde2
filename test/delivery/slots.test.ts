import { describe, expect, it } from '@jest/globals';
import { Batcher } from '../../delivery/batcher.ts';
import { Slots } from '../../delivery/slots.ts';

const NEVER = new AbortController().signal;

describe('Slots', () => {
  it('hands a slot to whoever has waited longest, of the same key only', async () => {
    const slots = new Slots();
    const release = slots.tryAcquire('a', 1);
    const order: string[] = [];
    const second = slots.acquire('a', 1, NEVER).then((slot) => (order.push('second'), slot));
    const third = slots.acquire('a', 1, NEVER).then((slot) => (order.push('third'), slot));
    expect(slots.tryAcquire('a', 1)).toBeNull();
    expect(slots.tryAcquire('b', 1)).not.toBeNull();
    release?.();
    (await second)?.();
    (await third)?.();
    expect(order).toEqual(['second', 'third']);
    expect(slots.taken).toBe(1);
  });

  it('counts a slot given back twice once', () => {
    const slots = new Slots();
    const release = slots.tryAcquire('a', 2);
    slots.tryAcquire('a', 2);
    release?.();
    release?.();
    expect(slots.taken).toBe(1);
  });

  it('lets go of those that wait when the signal fires, and never grants to them', async () => {
    const slots = new Slots();
    const release = slots.tryAcquire('a', 1);
    const stop = new AbortController();
    const waiting = slots.acquire('a', 1, stop.signal);
    stop.abort();
    expect(await waiting).toBeNull();
    expect(await slots.acquire('a', 1, stop.signal)).toBeNull();
    release?.();
    expect(slots.taken).toBe(0);
    expect(slots.tryAcquire('a', 1)).not.toBeNull();
  });
});

describe('Batcher', () => {
  it('runs together what came together or during the last run, within its size', async () => {
    const batches: number[][] = [];
    const batcher = new Batcher<number, number>(3, async (inputs) => {
      batches.push([...inputs]);
      return inputs.map((input) => input * 10);
    });
    expect(await Promise.all([1, 2, 3, 4].map((input) => batcher.add(input)))).toEqual([10, 20, 30, 40]);
    expect(await batcher.add(5)).toBe(50);
    expect(batches).toEqual([[1, 2, 3], [4], [5]]);
  });

  it('fails the inputs of a failed run only', async () => {
    const batcher = new Batcher<number, number>(1, async (inputs) => {
      if (inputs[0] === 1) throw new Error('the first fails');
      return inputs;
    });
    const outcomes = await Promise.allSettled([batcher.add(1), batcher.add(2)]);
    expect(outcomes.map((outcome) => outcome.status)).toEqual(['rejected', 'fulfilled']);
  });
});
