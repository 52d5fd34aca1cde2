import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { createRequestLimiter, NO_PACE } from '../../../../providers/openai/calls/requestPace.ts';

const { signal } = new AbortController();

/** Returns work that is in progress until the test ends it. */
function tasks() {
  const under: PromiseWithResolvers<void>[] = [];
  return {
    begun: () => under.length,
    work: () => {
      const task = Promise.withResolvers<void>();
      under.push(task);
      return task.promise;
    },
    end: (index: number) => under[index]?.resolve(),
  };
}

describe('the pace of requests to a server', () => {
  it('has no limit by default', async () => {
    const { begun, work } = tasks();
    const limit = createRequestLimiter(NO_PACE);
    for (let count = 0; count < 20; count += 1) void limit(signal, work);
    await setImmediate();
    expect(begun()).toBe(20);
  });

  it('allows a limited number at the same time, and the next when one has ended', async () => {
    const { begun, work, end } = tasks();
    const limit = createRequestLimiter({ concurrency: 2, requestsPerMinute: null });
    const first = limit(signal, work);
    void limit(signal, work);
    void limit(signal, work);
    await setImmediate();
    expect(begun()).toBe(2);
    end(0);
    await first;
    await setImmediate();
    expect(begun()).toBe(3);
  });

  it('continues after failed work', async () => {
    const limit = createRequestLimiter({ concurrency: 1, requestsPerMinute: null });
    await expect(limit(signal, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await limit(signal, () => Promise.resolve('next'))).toBe('next');
  });

  it('spaces requests evenly over the minute', async () => {
    // Only a second request within the minute would wait.
    expect(
      await createRequestLimiter({ concurrency: null, requestsPerMinute: 1 })(signal, () => Promise.resolve('now')),
    ).toBe('now');
    const limit = createRequestLimiter({ concurrency: null, requestsPerMinute: 1_200 });
    const began = performance.now();
    const times = await Promise.all(
      Array.from({ length: 4 }, () => limit(signal, () => Promise.resolve(performance.now()))),
    );
    // Timers may fire a millisecond early.
    expect((times[3] ?? 0) - began).toBeGreaterThanOrEqual(3 * 50 - 2);
  });

  it('gives the turns of callers that have left to the next', async () => {
    const limit = createRequestLimiter({ concurrency: null, requestsPerMinute: 60 });
    await limit(signal, () => Promise.resolve());
    const began = performance.now();
    const gone = new AbortController();
    const waiting = Array.from({ length: 30 }, () => limit(gone.signal, () => Promise.resolve('done')));
    const next = limit(signal, () => Promise.resolve(performance.now()));
    gone.abort(new Error('gone'));
    for (const { status } of await Promise.allSettled(waiting)) expect(status).toBe('rejected');
    const waited = (await next) - began;
    expect(waited).toBeGreaterThan(900);
    // The others would have taken half a minute.
    expect(waited).toBeLessThan(10_000);
  });
});
