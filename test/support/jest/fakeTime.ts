/**
 * A clock that tests move: time limits of minutes are reached at once, while sockets work as usual. Or only another
 * date, while time passes normally; or a steady clock that stands still, so that no rate limit recovers.
 */
import { setImmediate } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { HANG_MS } from '../eventually.ts';

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

/** The steady clock, which no test changes. */
const steadyNow = performance.now.bind(performance);

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

/**
 * Lets turns of the event loop pass until `holds` does, without a timer, for a faked one would not fire.
 * @param connection the one over which it comes, if any
 * @throws when it does not come in time, or the connection closes before
 */
export async function turnsUntil(
  holds: () => boolean,
  what: string,
  connection?: { readonly destroyed: boolean },
): Promise<void> {
  const deadline = steadyNow() + HANG_MS;
  while (!holds()) {
    if (steadyNow() > deadline) throw new Error(`never came: ${what}`);
    if (connection?.destroyed) throw new Error(`the connection was closed before it came: ${what}`);
    await setImmediate();
  }
}

/** Sets the date of this process, as if its clock were wrong, until `jest.useRealTimers`. */
export function setDate(now: number): void {
  fake(['Date'], { now });
}

/**
 * Stops the steady clock of this process while `work` runs, so that no rate limit recovers meanwhile. An
 * `eventually` inside it never times out, and limits that are counted in PostgreSQL go on.
 */
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
