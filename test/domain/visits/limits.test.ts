import { describe, expect, it } from '@jest/globals';
import { COLLECT_TYPES } from '../../../domain/collect/collected.ts';
import { sampleHit } from '../../../domain/collect/hitsOverQuota.ts';
import { VISITOR_BUCKETS } from '../../../domain/reports/visitorSample.ts';
import type { Goal } from '../../../domain/sites/goalDefinition.ts';
import { moscowDay } from '../../../domain/sites/moscowDays.ts';
import { DEVICE, event, MINUTE, SECOND, START, VisitorRun, type GivenRequest, type RunOptions } from './visitorRun.ts';

const HOUR = 60 * MINUTE;

/** Returns requests with one page view each, received at these times. */
const requests = (times: readonly number[]): GivenRequest[] =>
  times.map((receivedAt) => ({ events: [event(receivedAt)], receivedAt, device: DEVICE }));
const range = (count: number, step: number, from = 0): number[] =>
  Array.from({ length: count }, (_, index) => from + index * step);

describe('robots by frequency', () => {
  // proves: tag-limits/requests, tag-limits/over
  it('up to 60 requests in 10 seconds may come from a person; more are dropped, and the visit is marked', () => {
    const run = new VisitorRun();
    run.batch(requests(range(60, 100)));
    expect(run.visits).toMatchObject([{ hits: 60, is_robot: false, robot_reason: null }]);
    run.batch(requests([9_999]));
    expect(run.visits).toMatchObject([{ hits: 60, is_robot: true, robot_reason: 'Frequency' }]);
    expect(run.outcome.dropped.frequency).toBe(1);
  });

  // proves: tag-limits/over
  it('of a flood, as many hits are kept as the limit allows, and later visits count as a robot’s too', () => {
    const run = new VisitorRun();
    run.batch(requests(range(300, 100))); // 30 s at ten a second
    expect(run.visits).toMatchObject([{ hits: 180, robot_reason: 'Frequency' }]);
    run.batch(requests([5 * HOUR]));
    expect(run.visits.map((row) => row.robot_reason)).toEqual(['Frequency', 'Frequency']);
  });

  it('requests with hits that the browser held back count at the time of the hits, not of their receipt', () => {
    const late = (step: number): VisitorRun => {
      const run = new VisitorRun();
      run.batch(
        range(100, step).map((at, index) => ({ events: [event(at)], receivedAt: 9 * HOUR + index, device: DEVICE })),
      );
      return run;
    };
    expect(late(200).visits).toMatchObject([{ hits: 100, is_robot: false }]);
    expect(late(10).visits).toMatchObject([{ hits: 60, robot_reason: 'Frequency' }]);
  });

  // proves: tag-limits/events
  it('up to 1,000 events within an hour, by their own time, may come from a person; more are dropped', () => {
    const run = new VisitorRun();
    for (const start of range(20, 3 * MINUTE - 5 * SECOND))
      run.batch([{ events: range(50, 10, start).map((at) => event(at)), device: DEVICE }]);
    expect(run.visits).toMatchObject([{ hits: 1000, is_robot: false }]);
    run.batch([{ events: [event(59 * MINUTE), event(90 * MINUTE)], device: DEVICE }]);
    expect(run.outcome.dropped.frequency).toBe(1);
    expect(run.visits.map((row) => row.robot_reason)).toEqual(['Frequency', 'Frequency']);
  });

  it('the reason Frequency replaces NoJavaScript, but not the reason of a known robot', () => {
    const reasonAfter = (change: Partial<GivenRequest>): (string | null)[] => {
      const run = new VisitorRun();
      run.batch(range(61, 200).map((receivedAt) => ({ events: [event(receivedAt)], receivedAt, ...change })));
      const before = run.visits[0]?.robot_reason ?? null;
      run.batch(range(60, 1, 15_000).map((receivedAt) => ({ events: [event(receivedAt)], receivedAt, ...change })));
      run.batch([{ events: [event(15_100)], receivedAt: 15_100, ...change }]);
      return [before, ...run.visits.map((row) => row.robot_reason)];
    };
    expect(reasonAfter({})).toEqual(['NoJavaScript', 'Frequency']);
    expect(reasonAfter({ robotReason: 'DataCentre' })).toEqual(['DataCentre', 'DataCentre']);
    expect(reasonAfter({ robotReason: 'UserAgent' })).toEqual(['UserAgent', 'UserAgent']);
  });

  it('late events count in their own hour, not in the hour of their receipt', () => {
    const run = new VisitorRun();
    for (const hour of range(4, HOUR))
      run.batch(
        range(18, SECOND).map((second) => ({
          events: range(50, 1, hour + second).map((at) => event(at)),
          receivedAt: 5 * HOUR + hour / 60 + second,
          device: DEVICE,
        })),
      );
    expect(run.visits.every((row) => !row.is_robot)).toBe(true);
    expect(run.outcome.dropped.frequency).toBe(0);
  });

  it('no visit is marked once the site has switched the rule off; those marked before stay marked', () => {
    const on = new VisitorRun();
    on.batch(requests(range(61, 1)));
    Object.assign(on.rules, { robots: { ...on.rules.robots, frequency: false } });
    on.batch(requests([2 * HOUR]));
    expect(on.visits.map((row) => row.robot_reason)).toEqual(['Frequency', null]);
    const off = new VisitorRun({ robots: { frequency: false } });
    off.batch(requests(range(100, 1)));
    expect(off.visits).toMatchObject([{ hits: 100, is_robot: false }]);
  });
});

describe('robots by their requests', () => {
  // proves: decisions-visits/robots-kept
  it('a visit is marked if one of its requests is, with the reason of the first that is', () => {
    const run = new VisitorRun();
    run.batch([
      { events: [event(0)] },
      { events: [event(1)], robotReason: 'DataCentre' },
      { events: [event(2)], robotReason: 'UserAgent' },
      { events: [event(HOUR)] },
    ]);
    expect(run.visits.map((row) => [row.hits, row.robot_reason])).toEqual([
      [3, 'DataCentre'],
      [1, null],
    ]);
    expect(run.outcome.hits).toHaveLength(4);
  });
});

describe('robots without JavaScript', () => {
  const pages = (count: number, step: number): GivenRequest[] =>
    range(count, step).map((at) => ({ events: [event(at)], receivedAt: at * 1000 }));

  // proves: decisions-visits/robots-javascript
  it('fetch page after page, faster than anybody reads, and report nothing about a device', () => {
    const run = new VisitorRun();
    run.batch(pages(60, 4_000));
    expect(run.visits).toMatchObject([{ is_robot: false }]);
    run.batch([{ events: [event(240_000)], receivedAt: 1e9 }]);
    expect(run.visits).toMatchObject([{ hits: 61, robot_reason: 'NoJavaScript' }]);
  });

  it.each<[string, GivenRequest[], RunOptions]>([
    ['who reads the pages', pages(100, 5_100), {}],
    ['whose device is known', [{ events: [event(0)], device: DEVICE }, ...pages(100, 10)], {}],
    ['who clicks', [{ events: [event(0, { type: 'click' })] }, ...pages(100, 10)], {}],
    ['of a site with the rule off', pages(100, 10), { robots: { no_javascript: false } }],
  ])('do not include a visitor %s', (_, given, options) => {
    const run = new VisitorRun(options);
    run.batch(given);
    expect(run.visits).toMatchObject([{ is_robot: false }]);
  });
});

describe('the daily quota', () => {
  const over = { hitsPerDay: 2 };

  // proves: quotas/hits-over
  it('once used up, keeps only the listed types of hits of nine visitors in ten, with weight 1', () => {
    const run = new VisitorRun({ ...over, bucket: 11 });
    run.hits(
      event(0),
      event(1, { type: 'click' }),
      event(2),
      event(3, { type: 'click' }),
      ...(['form', 'goal', 'purchase', 'refund', 'user'] as const).map((type, index) => event(4 + index, { type })),
      event(100, { type: 'ping' }),
    );
    expect(run.outcome.hits.map(({ type, weight }) => [type, weight])).toEqual([
      ['pageview', 1],
      ['click', 1],
      ['form', 1],
      ['goal', 1],
      ['purchase', 1],
      ['refund', 1],
      ['user', 1],
    ]);
    expect(run.outcome.dropped.quota).toBe(3);
    expect(run.visits).toMatchObject([{ weight: 1, hits: 7 }]);
  });

  // proves: quotas/hits-over
  it('once used up, drops all other types of hits of these visitors', () => {
    const run = new VisitorRun({ hitsPerDay: 0, bucket: 11 });
    run.hits(...COLLECT_TYPES.map((type, index) => event(index, { type })));
    expect(run.outcome.hits.map(({ type }) => type).toSorted()).toEqual(['form', 'goal', 'purchase', 'refund', 'user']);
  });

  // proves: quotas/hits-over
  it('once used up, keeps everything of exactly a tenth of the visitor buckets', () => {
    const isKept = (bucket: number): boolean => sampleHit('pageview', START, bucket, new Map(), 0).isKept;
    const kept = Array.from({ length: VISITOR_BUCKETS }, (_, bucket) => bucket).filter(isKept);
    expect(kept).toHaveLength(VISITOR_BUCKETS / 10);
  });

  // proves: quotas/hits-over
  it('once used up, keeps everything of one visitor in ten, who then stands for ten', () => {
    const run = new VisitorRun({ ...over, bucket: 20 });
    run.hits(event(0), event(1), event(2), event(3, { type: 'form' }), event(HOUR), event(HOUR + 1));
    expect(run.outcome.hits.map(({ weight }) => weight)).toEqual([1, 1, 10, 1, 10, 10]);
    expect(run.visits.map(({ weight }) => weight)).toEqual([1, 10]);
  });

  it('if used up during a visit, leaves the visit its weight and adds up the weights of its hits', () => {
    const run = new VisitorRun({ ...over, bucket: 20 });
    run.hits(
      event(0),
      event(1, { type: 'click' }),
      event(2),
      event(3, { type: 'form' }),
      event(4, { type: 'ping' }),
      event(5),
    );
    expect(run.visits).toMatchObject([{ weight: 1, pageviews: 3, weighted_pageviews: 21, hits: 5, weighted_hits: 23 }]);
  });

  // proves: quotas/hits-over
  it('gives a visit that begins with a listed type of hit the weight of its visitor: 0 or 10', () => {
    const weightOf = (bucket: number): (number | undefined)[] => {
      const run = new VisitorRun({ hitsPerDay: 0, bucket });
      run.hits(event(0, { type: 'form' }), event(1));
      return run.visits.map(({ weight }) => weight);
    };
    expect(weightOf(11)).toEqual([0]);
    expect(weightOf(20)).toEqual([10]);
  });

  // proves: quotas/hits-over
  it('gives goals that the tag sends weight 1 for everybody, and goals reached by a page view its weight', () => {
    const goals: Goal[] = [
      { code: 'lead', title: 'Lead', type: 'js', match: null, value: null, enabled: true },
      { code: 'page', title: 'Page', type: 'url', match: { op: 'contains', value: '/a' }, value: null, enabled: true },
    ];
    const reachedBy = (bucket: number): [string, number][] => {
      const run = new VisitorRun({ hitsPerDay: 0, bucket, goals });
      run.hits(event(0), event(1, { type: 'goal', name: 'lead' }));
      return run.outcome.conversions.map(({ goal, weight }) => [goal, weight]);
    };
    expect(reachedBy(11)).toEqual([['lead', 1]]);
    expect(reachedBy(20)).toEqual([
      ['page', 10],
      ['lead', 1],
    ]);
  });

  // proves: quotas/robots
  it('counts the hits of robots, but no pings', () => {
    const run = new VisitorRun({ ...over, bucket: 11 });
    run.batch([{ events: [event(0), event(1, { type: 'ping' }), event(2), event(3)], robotReason: 'UserAgent' }]);
    expect(run.outcome.hits.length).toBe(3);
    expect([...run.days]).toEqual([[moscowDay(START), 3]]);
  });

  // proves: quotas/hits
  it('is counted per Moscow day, by the hit’s own time', () => {
    const midnight = Date.UTC(2026, 2, 15, 21);
    expect(moscowDay(midnight) - moscowDay(midnight - 1)).toBe(1);
    const run = new VisitorRun({ hitsPerDay: 1, bucket: 11 });
    run.hits(event(midnight - START - 2), event(midnight - START - 1), event(midnight - START));
    expect(run.outcome.hits.length).toBe(2);
    expect(run.visits).toMatchObject([{ weight: 1, hits: 2 }]);
  });
});
