import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Pace } from '../../../../platform/process/concurrency/pace.ts';

const takes = (ms: number) => () => new Promise<void>((resolve) => setTimeout(resolve, ms));

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

afterEach(() => {
  jest.restoreAllMocks();
});

describe('a pace', () => {
  it('rests after each piece for a multiple of the time that it took', async () => {
    const pace = new Pace(9);
    // A timer may fire up to a millisecond early, so the piece takes at least 10 ms.
    expect(await timeOf(() => pace.work(takes(11)))).toBeGreaterThan(100);
    expect(await pace.work(() => Promise.resolve('its result'))).toBe('its result');
  });

  it('rests after a failed piece too', async () => {
    const failing = async (): Promise<void> => {
      await takes(11)();
      throw new Error('no');
    };
    const pace = new Pace(9);
    expect(await timeOf(() => expect(pace.work(failing)).rejects.toThrow('no'))).toBeGreaterThan(100);
  });

  it('ends its rest when it is closed, and has none afterwards', async () => {
    const pace = new Pace(100_000);
    const resting = pace.work(takes(11));
    setTimeout(() => pace.end(), 20);
    await resting;
    expect(pace.isOver).toBe(true);
    await pace.work(takes(11));
  });

  it('rests between pieces in proportion to the work since the last rest, and not at all after little work', async () => {
    let now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    let factor = 9;
    const rests: number[] = [];
    const pause = async (ms: number): Promise<void> => {
      rests.push(ms);
      now += ms;
    };
    const pace = new Pace(() => factor, { minWorkMs: 3, maxRestMs: 50, pause });
    now += 2;
    expect(await pace.rest()).toBe(false);
    now += 2;
    expect(await pace.rest()).toBe(true);
    factor = 1;
    now += 3;
    expect(await pace.rest()).toBe(true);
    now += 60;
    expect(await pace.rest()).toBe(true);
    expect(rests).toEqual([36, 3, 50]);
  });
});
