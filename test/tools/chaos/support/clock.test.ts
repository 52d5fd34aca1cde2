/** A process with a wrong clock: its wall clock is off, its monotonic clocks are not. */
import { describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { wrongClock } from '../../../../tools/chaos/support/clock.ts';

const run = promisify(execFile);

/** Prints the time, read in every way that JavaScript has, and how long a timer of half a second took. */
const ASK = `
  const steady = performance.now();
  const times = [Date.now(), new Date().getTime(), Date.parse(Date()), new Date(Date.UTC(2020, 1, 2)).getTime(), new Date(2020, 1, 2) instanceof Date];
  setTimeout(() => console.log(JSON.stringify({ times, tookMs: performance.now() - steady })), 500);`;

interface Clocks {
  times: [now: number, made: number, text: number, given: number, isDate: boolean];
  tookMs: number;
}

async function clocksOfChild(env: Record<string, string>): Promise<Clocks> {
  const { stdout } = await run(process.execPath, ['-e', ASK], { env: { ...process.env, NODE_OPTIONS: '', ...env } });
  return JSON.parse(stdout) as Clocks;
}

describe('wrongClock', () => {
  it.each([600, -600])('changes the wall clock of a process by %d s, but not its steady clock', async (seconds) => {
    const { env } = await wrongClock(seconds);
    const before = Date.now() + seconds * 1000;
    const { times, tookMs } = await clocksOfChild(env);
    const after = Date.now() + seconds * 1000;
    for (const time of times.slice(0, 3)) {
      expect(time).toBeGreaterThanOrEqual(before - 1_000); // the text has no milliseconds
      expect(time).toBeLessThanOrEqual(after);
    }
    expect(times.slice(3)).toEqual([Date.UTC(2020, 1, 2), true]);
    expect(tookMs).toBeGreaterThanOrEqual(490);
    expect(tookMs).toBeLessThan(60_000);
  });
});
