import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { readSeconds, spentBetween } from '../../../tools/bench/support/cores.ts';

const ENDED = 'PostgreSQL, ended backends';

describe('spentBetween', () => {
  it('counts what an ended backend used during the run, but not what it had used before', () => {
    const backend = (ran: number) => ({ who: 'PostgreSQL for workflow', ran, waited: 0 });
    const before = new Map([
      ['1', backend(2)],
      ['2', backend(1)],
      [ENDED, { who: ENDED, ran: 5, waited: 0 }],
    ]);
    const after = new Map([
      ['1', backend(2.5)],
      ['3', backend(0.25)],
      [ENDED, { who: ENDED, ran: 6.5, waited: 0 }],
    ]);
    expect(spentBetween(before, after)).toEqual([
      { who: 'PostgreSQL for workflow', spent: 0.75, waited: 0 },
      { who: ENDED, spent: 0.5, waited: 0 },
    ]);
  });
});

describe('readSeconds', () => {
  it('reads the CPU time of children that have ended', async () => {
    const work = 'for (const start = process.cpuUsage(); process.cpuUsage(start).user < 200_000; );';
    const pids = async () => ({ postgres: process.pid });
    const database = { query: async () => [] };
    const before = await readSeconds({ pids }, database);
    await once(spawn(process.execPath, ['-e', work], { stdio: 'ignore' }), 'exit');
    const spent = spentBetween(before, await readSeconds({ pids }, database));
    expect(spent.find(({ who }) => who === ENDED)?.spent).toBeGreaterThanOrEqual(0.2);
  });
});
