import { describe, expect, it } from '@jest/globals';
import { budgeted, createFrequentClocks } from '../../../../loops/ingest/enrich/timeBudget.ts';

describe('budgeted', () => {
  it('lets a costly function use its budget, and then its share of the time', () => {
    let clock = 0;
    const costs = { cheap: 1, dear: 400 } as const;
    const compute = (text: string): string => {
      clock += costs[text as keyof typeof costs];
      return text;
    };
    const run = budgeted(compute, { burstMs: 1000, share: 0.5 }, { now: () => clock, used: () => clock });
    // A call takes 400 ms, and the budget regains half of that meanwhile. So it is 1,000 ms before the first call, then
    // 800, 600, 400, 200 (still enough to start a call), and 0.
    expect(Array.from({ length: 6 }, () => run('dear'))).toEqual(['dear', 'dear', 'dear', 'dear', 'dear', null]);
    expect(run('cheap')).toBeNull();
    clock += 500;
    expect(run('cheap')).toBe('cheap');
    clock += 1_000_000;
    // The burst is the maximum, however long the idle time.
    expect(Array.from({ length: 9 }, () => run('dear')).filter((value) => value !== null)).toHaveLength(5);
  });

  it('does not count the time in which others used the core', () => {
    let clock = 0;
    const run = budgeted(
      (_text: string) => {
        clock += 10_000;
        return true;
      },
      { burstMs: 1000, share: 0 },
      { now: () => clock, used: () => 0 },
    );
    expect([run('a'), run('b'), run('c')]).toEqual([true, true, true]);
  });

  it('never refuses calls that cost no more than each adds to the budget', () => {
    let clock = 0;
    const run = budgeted(
      (cost: number) => {
        clock += cost;
        return true;
      },
      { burstMs: 100, share: 0, perCallMs: 1 },
      { now: () => 0, used: () => clock },
    );
    expect(Array.from({ length: 10_000 }, () => run(1))).not.toContain(null);
    expect([run(200), run(1)]).toEqual([true, null]);
  });

  it('uses at most its share of a flood', () => {
    let clock = 0;
    let used = 0;
    const run = budgeted(
      (_text: string) => {
        clock += 30;
        used += 30;
        return true;
      },
      { burstMs: 20_000, share: 0.5 },
      { now: () => clock, used: () => used },
    );
    while (clock < 600_000) if (run('hostile') === null) clock += 0.1;
    expect(used).toBeLessThan(20_000 + 0.5 * 600_000 + 60);
    expect(used).toBeGreaterThan(0.5 * 600_000);
  });
});

describe('clocks for work that takes microseconds', () => {
  /** Creates clocks that `pass` advances: the wall clock by `ms`, the thread's by `ownMs`, less if others have the core. */
  function world() {
    let [wall, thread, readings] = [1_000, 70, 0];
    const clocks = createFrequentClocks(
      () => wall,
      () => {
        readings += 1;
        return thread;
      },
    );
    const pass = (ms: number, ownMs = ms): void => {
      wall += ms;
      thread += ownMs;
    };
    return { clocks, pass, readings: () => readings };
  }

  it('count the CPU time of the thread, and seldom read the clock for it', () => {
    const { clocks, pass, readings } = world();
    const start = clocks.used();
    for (let turn = 0; turn < 10_000; turn += 1) {
      pass(0.01);
      clocks.used();
    }
    expect(clocks.used() - start).toBeCloseTo(100, 6);
    expect(readings()).toBeLessThanOrEqual(21);
  });

  it('do not count a pause in which others had the core', () => {
    const { clocks, pass } = world();
    const start = clocks.used();
    pass(2);
    pass(400, 0);
    pass(1);
    expect(clocks.used() - start).toBe(3);
    pass(5_000, 0);
    expect(clocks.used() - start).toBe(3);
    pass(2_000);
    expect(clocks.used() - start).toBe(2_003);
  });
});
