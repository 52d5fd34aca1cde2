import { describe, expect, it } from '@jest/globals';
import { Batcher } from '../../../platform/process/concurrency/batcher.ts';
import { AttemptSlots } from '../../../loops/delivery/attemptSlots.ts';

const NEVER = new AbortController().signal;

function slotsOf(limit: number): AttemptSlots {
  const slots = new AttemptSlots();
  slots.allow(limit);
  return slots;
}

describe('AttemptSlots', () => {
  it('hands a slot to whoever has waited longest for the same webhook', async () => {
    const slots = slotsOf(1);
    const release = slots.tryAcquire('a');
    const order: string[] = [];
    const second = slots.acquire('a', 'ordinary', NEVER).then((slot) => (order.push('second'), slot));
    const third = slots.acquire('a', 'ordinary', NEVER).then((slot) => (order.push('third'), slot));
    expect(slots.tryAcquire('a')).toBeNull();
    expect(slots.tryAcquire('b')).not.toBeNull();
    release?.();
    (await second)?.();
    (await third)?.();
    expect(order).toEqual(['second', 'third']);
    expect(slots.taken).toBe(1);
  });

  it('counts a slot once even if it is given back twice', () => {
    const slots = slotsOf(2);
    const release = slots.tryAcquire('a');
    slots.tryAcquire('a');
    release?.();
    release?.();
    expect(slots.taken).toBe(1);
  });

  it('drops waiting callers when the signal fires, and never grants to them', async () => {
    const slots = slotsOf(1);
    const release = slots.tryAcquire('a');
    const stop = new AbortController();
    const waiting = slots.acquire('a', 'ordinary', stop.signal);
    stop.abort();
    expect(await waiting).toBeNull();
    expect(await slots.acquire('a', 'ordinary', stop.signal)).toBeNull();
    release?.();
    expect(slots.taken).toBe(0);
    expect(slots.tryAcquire('a')).not.toBeNull();
  });

  it('prefers requests from people, which take at most a quarter of all slots', async () => {
    const slots = slotsOf(8);
    const releases = Array.from({ length: 8 }, () => slots.tryAcquire('a'));
    const order: string[] = [];
    const ordinary = slots.acquire('a', 'ordinary', NEVER).then(() => order.push('ordinary'));
    const urgent = [1, 2, 3].map((number) =>
      slots.acquire('a', 'urgent', NEVER).then((slot) => (order.push(`urgent ${number}`), slot)),
    );
    expect(slots.tryAcquire('a', 'urgent')).toBeNull();
    for (const release of releases.slice(0, 3)) release?.();
    const [first] = await Promise.all([urgent[0], urgent[1], ordinary]);
    expect(order).toEqual(['urgent 1', 'urgent 2', 'ordinary']);
    expect(slots.maxTaken).toBe(8);
    first?.();
    await urgent[2];
    expect(slots.maxTaken).toBe(8);
  });

  it('allows none before the first grant or after a grant expires, and otherwise as many as the latest grant', async () => {
    const slots = new AttemptSlots();
    expect(slots.tryAcquire('a')).toBeNull();
    slots.allow(2, performance.now() - 1);
    expect([slots.limit, slots.tryAcquire('a')]).toEqual([0, null]);
    slots.allow(2);
    const releases = [slots.tryAcquire('a'), slots.tryAcquire('a')];
    const waiting = slots.acquire('a', 'ordinary', NEVER);
    slots.allow(1);
    releases[0]?.();
    expect(slots.taken).toBe(1);
    slots.allow(2);
    expect(await waiting).not.toBeNull();
    expect(slots.taken).toBe(2);
  });

  it('reports when all slots were returned', async () => {
    const slots = slotsOf(2);
    await slots.idle();
    const release = slots.tryAcquire('a');
    let isIdle = false;
    const idle = slots.idle().then(() => (isIdle = true));
    await Promise.resolve();
    expect(isIdle).toBe(false);
    release?.();
    await idle;
  });
});

describe('Batcher', () => {
  it('puts inputs that came at the same time, or during the previous run, into one batch, up to the maximum size', async () => {
    const batches: number[][] = [];
    const batcher = new Batcher<number, number>(3, async (inputs) => {
      batches.push([...inputs]);
      return inputs.map((input) => input * 10);
    });
    expect(await Promise.all([1, 2, 3, 4].map((input) => batcher.add(input)))).toEqual([10, 20, 30, 40]);
    expect(await batcher.add(5)).toBe(50);
    expect(batches).toEqual([[1, 2, 3], [4], [5]]);
  });

  it('fails only the inputs of a failed run', async () => {
    const batcher = new Batcher<number, number>(1, async (inputs) => {
      if (inputs[0] === 1) throw new Error('the first fails');
      return inputs;
    });
    const outcomes = await Promise.allSettled([batcher.add(1), batcher.add(2)]);
    expect(outcomes.map((outcome) => outcome.status)).toEqual(['rejected', 'fulfilled']);
  });
});
