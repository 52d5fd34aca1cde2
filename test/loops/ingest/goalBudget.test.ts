/** The scheduling of url goals when patterns are slow. costlyGoals.test.ts tests it with a whole ingest. */
import { describe, expect, it } from '@jest/globals';
import { createGoalCompiler } from '../../../loops/ingest/goalBudget.ts';

const TEXT = 'https://shop.example/thanks';
/** Costs of a match of an ordinary pattern and of an expensive one. */
const [USUAL_MS, COSTLY_MS] = [0.003, 10];

/** Simulates sites that match in turn, each at its own cost and paused each time; only matches advance the clocks. */
function world({ pauseMs = 0 } = {}) {
  let clock = 0;
  let paused = 0;
  let costMs = 0;
  const skipped = new Map<string, number>();
  let isMatched = false;
  const clocks = {
    now: () => clock + paused,
    /** Called before a match and after it. */
    used() {
      if (isMatched) {
        clock += costMs;
        paused += pauseMs;
      }
      isMatched = !isMatched;
      return clock;
    },
  };
  const compilerOf = createGoalCompiler((siteId) => skipped.set(siteId, (skipped.get(siteId) ?? 0) + 1), clocks);
  const matches = new Map<string, (text: string) => boolean>();
  const match = (siteId: string, cost: number): boolean => {
    const known = matches.get(siteId) ?? compilerOf(siteId)('thanks$');
    matches.set(siteId, known);
    costMs = cost;
    return known(TEXT);
  };
  return { match, skipped, pass: (ms: number) => (clock += ms), now: () => clock + paused };
}

describe('the time of url goals', () => {
  it('is limited in total, however many sites have costly patterns', () => {
    const { match, pass, now } = world();
    let used = 0;
    while (now() < 60_000) {
      for (let site = 0; site < 10; site += 1) {
        const before = now();
        match(`costly-${site}`, COSTLY_MS);
        used += now() - before;
      }
      pass(1);
    }
    // A quarter, plus the free part of each match, which is a tenth of the time here.
    expect(used).toBeGreaterThan(15_000);
    expect(used).toBeLessThan(23_000);
  });

  it('is never refused to a site with ordinary patterns', () => {
    const { match, skipped } = world();
    for (let turn = 0; turn < 5_000; turn += 1) {
      for (let site = 0; site < 10; site += 1) match(`costly-${site}`, COSTLY_MS);
      expect(match('usual', USUAL_MS)).toBe(true);
    }
    expect(skipped.get('usual')).toBeUndefined();
    expect(skipped.get('costly-0')).toBeGreaterThan(4_000);
  });

  it('is not used up by a pause in which other processes had the core', () => {
    const { match, skipped } = world({ pauseMs: 50 });
    for (let turn = 0; turn < 5_000; turn += 1) expect(match('usual', USUAL_MS)).toBe(true);
    expect(skipped.get('usual')).toBeUndefined();
  });

  it('includes the pauses of costly matches, which hold up other sites as well', () => {
    const { match, now } = world({ pauseMs: 50 });
    while (match('costly', COSTLY_MS));
    // The burst of all sites, and the match that uses it up.
    expect(now()).toBeLessThan(1_000);
  });
});
