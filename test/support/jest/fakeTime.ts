/**
 * A clock that tests move: time limits of minutes are reached at once, while sockets work as usual. Or only another
 * date, while time passes normally.
 */
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
  fake(faked);
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

/** Sets the date of this process, as if its clock were wrong, until `jest.useRealTimers`. */
export function setDate(now: number): void {
  fake(['Date'], { now });
}

/** Stops the steady clock of this process while `work` runs, so that no limit of a rate is lifted meanwhile. */
export async function withStoppedClock<T>(work: () => Promise<T>): Promise<T> {
  const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now());
  try {
    return await work();
  } finally {
    clock.mockRestore();
  }
}

function fake(faked: readonly (typeof FUNCTIONS)[number][], settings: { now?: number } = {}): void {
  jest.useFakeTimers({ ...settings, doNotFake: FUNCTIONS.filter((name) => !faked.includes(name)) });
}
