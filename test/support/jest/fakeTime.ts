/** A clock that tests move: time limits of minutes are reached at once, while sockets work as usual. */
import { setImmediate } from 'node:timers/promises';
import { jest } from '@jest/globals';

const FUNCTIONS = [
  'Date',
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
  'setInterval',
  'clearInterval',
  'setTimeout',
  'clearTimeout',
] as const;

/** Runs `work` with a clock of its own for these functions. `pass` moves it and lets everything that is due happen. */
export async function withFakeTime<T>(
  faked: readonly (typeof FUNCTIONS)[number][],
  work: (pass: (ms: number) => Promise<void>) => Promise<T>,
): Promise<T> {
  jest.useFakeTimers({ doNotFake: FUNCTIONS.filter((name) => !faked.includes(name)) });
  try {
    return await work(async (ms) => {
      jest.advanceTimersByTime(ms);
      await setImmediate();
      await setImmediate();
    });
  } finally {
    jest.useRealTimers();
  }
}
