import { describe, expect, it } from '@jest/globals';
import { Pace } from '../../../../platform/process/concurrency/pace.ts';

const takes = (ms: number) => () => new Promise<void>((resolve) => setTimeout(resolve, ms));

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

describe('a pace', () => {
  it('rests after each piece, a multiple of the time that it took', async () => {
    const pace = new Pace(9);
    // A piece of at least 10 ms.
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
});
