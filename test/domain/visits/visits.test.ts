import { describe, expect, it } from '@jest/globals';
import { visitRow } from '../../../domain/visits/visit.ts';
import { DEVICE, event, MINUTE, SECOND, source, START, VisitorRun } from './visitorRun.ts';

const DAY = 24 * 60 * MINUTE;
const times = (run: VisitorRun): [number, number][] =>
  run.visits.map((row) => [(row.started_at - START) / MINUTE, (row.ended_at - START) / MINUTE]);
const typesOf = (run: VisitorRun, model: 'source_last' | 'source_last_significant' | 'source_first'): string[] =>
  run.visits.map((row) => [row[model].source_type, row[model].source_name].filter((part) => part !== null).join(':'));

describe('the end of a visit', () => {
  // proves: decisions-analytics/pause, decisions-visits/pause
  it('is a pause of more than 30 minutes, not of exactly 30', () => {
    const run = new VisitorRun();
    run.hits(event(0), event(30 * MINUTE), event(60 * MINUTE + 1));
    expect(times(run)).toEqual([
      [0, 30],
      [60 + 1 / MINUTE, 60 + 1 / MINUTE],
    ]);
  });

  // proves: decisions-visits/midnight
  it('is not midnight', () => {
    const run = new VisitorRun();
    run.hits(
      event(12 * 60 * MINUTE - 5 * MINUTE),
      event(12 * 60 * MINUTE + 5 * MINUTE),
      event(15 * 60 * MINUTE - 1),
      event(15 * 60 * MINUTE + 1),
    );
    expect(run.visits.length).toBe(2);
  });

  // proves: decisions-analytics/hits
  it('is delayed by a ping, which counts as no hit and begins no visit', () => {
    const run = new VisitorRun();
    run.hits(event(0), event(20 * MINUTE, { type: 'ping' }), event(45 * MINUTE), event(200 * MINUTE, { type: 'ping' }));
    expect(run.visits).toMatchObject([{ hits: 2, pageviews: 2, duration_s: 45 * 60 }]);
    expect(run.outcome.dropped.ping).toBe(1);
    expect(run.outcome.hits.map(({ type }) => type)).toEqual(['pageview', 'ping', 'pageview']);
  });
});

describe('a new source', () => {
  // proves: decisions-analytics/new-source, decisions-visits/source
  it('begins a visit if it is significant and differs, even within the pause', () => {
    const run = new VisitorRun();
    run.hits(
      event(0),
      event(MINUTE, { referrer: 'organic:Google' }),
      event(2 * MINUTE, { referrer: 'organic:Google' }),
      event(3 * MINUTE, { referrer: 'organic:Bing' }),
    );
    expect(typesOf(run, 'source_last')).toEqual(['direct', 'organic:Google', 'organic:Bing']);
    expect(run.visits.map(({ hits }) => hits)).toEqual([1, 2, 1]);
  });

  // proves: decisions-analytics/insignificant, decisions-visits/source
  it.each(['direct', 'internal', 'saved', 'unknown'])('that is %s begins none', (type) => {
    const run = new VisitorRun();
    run.hits(event(0, { referrer: 'organic:Google' }), event(MINUTE, { referrer: type }));
    expect(typesOf(run, 'source_last')).toEqual(['organic:Google']);
  });

  it('begins a visit even in the same millisecond as the last hit, and that order is kept when stored', () => {
    const run = new VisitorRun();
    run.hits(event(0), event(0, { referrer: 'ad:x' }), event(1));
    expect(run.visits.map(({ hits, visit_number: number }) => [hits, number])).toEqual([
      [1, 1],
      [2, 2],
    ]);
  });

  it.each(['click', 'event', 'goal', 'scroll'] as const)(
    'does not come with a %s, which has the source of its page',
    (type) => {
      const run = new VisitorRun();
      run.hits(event(0, { referrer: 'ad:x' }), event(MINUTE, { referrer: 'organic:Google', type }));
      expect(run.visits.length).toBe(1);
    },
  );

  it('differs by its UTM set, referrer domain or click id alone', () => {
    const run = new VisitorRun();
    const sources = new Map([
      ['a', { ...source('ad:x'), utm_campaign: '1' }],
      ['b', { ...source('ad:x'), utm_campaign: '2' }],
      ['c', { ...source('ad:x'), utm_campaign: '2', click_id: 'gclid:1' }],
      ['d', { ...source('ad:x'), utm_campaign: '2', click_id: 'gclid:1', referrer_domain: 'y.example' }],
      [
        'e',
        {
          ...source('ad:x'),
          utm_campaign: '2',
          click_id: 'gclid:1',
          referrer_domain: 'y.example',
          referrer_url: 'https://y.example/other',
        },
      ],
    ]);
    Object.assign(run.rules, { sourceOf: (_url: string, referrer: string) => sources.get(referrer) });
    run.hits(...[...sources.keys()].map((referrer, index) => event(index * SECOND, { referrer })));
    expect(run.visits.length).toBe(4); // another page of the same domain is the same source
  });
});

describe('a late hit', () => {
  it('belongs to the visit that was open at its time, or had ended up to 30 minutes before', () => {
    const run = new VisitorRun();
    run.hits(event(0), event(10 * MINUTE), event(100 * MINUTE), event(5 * MINUTE), event(40 * MINUTE));
    expect(times(run)).toEqual([
      [0, 40],
      [100, 100],
    ]);
    expect(run.visits.map(({ hits }) => hits)).toEqual([4, 1]);
  });

  it('belongs to the latest of two such visits', () => {
    const run = new VisitorRun();
    run.hits(
      event(0),
      event(10 * MINUTE, { referrer: 'ad:x' }),
      event(20 * MINUTE),
      event(15 * MINUTE),
      event(7 * MINUTE),
    );
    expect(run.visits.map(({ hits }) => hits)).toEqual([2, 3]);
    expect(times(run)).toEqual([
      [0, 7],
      [10, 20],
    ]);
  });

  // proves: report-rules/duration
  it('becomes the beginning of a visit that starts up to 30 minutes later: start, entry and source move', () => {
    const run = new VisitorRun();
    run.hits(
      event(30 * MINUTE, { url: 'https://shop.example/second', referrer: 'https://shop.example/' }),
      event(0, { url: 'https://shop.example/first', referrer: 'organic:Google' }),
    );
    expect(run.visits).toMatchObject([
      {
        started_at: START,
        entry_path: '/first',
        exit_path: '/second',
        duration_s: 1800,
        pageviews: 2,
        is_bounce: false,
        first_visit_at: START,
      },
    ]);
    expect(typesOf(run, 'source_last')).toEqual(['organic:Google']);
    expect(typesOf(run, 'source_first')).toEqual(['organic:Google']);
  });

  it('that moves the start of a visit leaves it its source if that source would have begun a new visit', () => {
    const run = new VisitorRun();
    run.hits(event(20 * MINUTE, { referrer: 'ad:x' }), event(10 * MINUTE));
    expect(typesOf(run, 'source_last')).toEqual(['ad:x']);
    expect(times(run)).toEqual([[10, 20]]);
  });

  it('is a visit of its own if it is farther from all others, which are renumbered', () => {
    const run = new VisitorRun();
    run.hits(event(0), event(200 * MINUTE), event(100 * MINUTE, { referrer: 'ad:x' }));
    expect(
      run.visits.map(({ visit_number: number, previous_visit_at: previous }) => [
        number,
        previous === null ? null : (previous - START) / MINUTE,
      ]),
    ).toEqual([
      [1, null],
      [2, 0],
      [3, 100],
    ]);
    expect(typesOf(run, 'source_last_significant')).toEqual(['direct', 'ad:x', 'ad:x']);
    expect(run.visitor).toEqual({ visits: 3, firstVisitAt: START, lastVisitAt: START + 200 * MINUTE });
  });

  it("before all others moves the visitor's first visit back", () => {
    const run = new VisitorRun();
    run.hits(event(300 * MINUTE), event(0));
    expect(run.visits.map(({ first_visit_at: first }) => first)).toEqual([START, START]);
    expect(run.visitor.firstVisitAt).toBe(START);
  });

  it('never joins two visits, wherever it lies between them', () => {
    const run = new VisitorRun();
    run.hits(event(0), event(50 * MINUTE), event(25 * MINUTE));
    expect(times(run)).toEqual([
      [0, 25],
      [50, 50],
    ]);
  });

  it('changes only the affected visits', () => {
    const run = new VisitorRun();
    run.hits(event(0), event(100 * MINUTE), event(200 * MINUTE));
    const [first] = run.visits;
    expect(run.batch([{ events: [event(MINUTE)] }])).toEqual([first?.visit_id]);
  });
});

describe('sources by model', () => {
  // proves: decisions-analytics/history, decisions-analytics/insignificant
  // proves: report-rules/attribution, report-rules/sources-kept
  it('pass the last significant and the first source from visit to visit', () => {
    const run = new VisitorRun();
    run.hits(
      event(0),
      event(DAY, { referrer: 'ad:x' }),
      event(2 * DAY),
      event(3 * DAY, { referrer: 'unknown' }),
      event(4 * DAY, { referrer: 'organic:Google' }),
      event(5 * DAY, { referrer: 'saved' }),
    );
    expect(typesOf(run, 'source_last')).toEqual(['direct', 'ad:x', 'direct', 'unknown', 'organic:Google', 'saved']);
    expect(typesOf(run, 'source_last_significant')).toEqual([
      'direct',
      'ad:x',
      'ad:x',
      'ad:x',
      'organic:Google',
      'organic:Google',
    ]);
    expect(typesOf(run, 'source_first')).toEqual(['direct', 'direct', 'direct', 'direct', 'direct', 'direct']);
  });

  // proves: decisions-analytics/no-significant
  it("are the visit's own if no significant source came before", () => {
    const run = new VisitorRun();
    run.hits(
      event(0, { referrer: 'saved' }),
      event(DAY, { referrer: 'unknown' }),
      event(2 * DAY),
      event(3 * DAY, { referrer: 'ad:x' }),
      event(4 * DAY, { referrer: 'saved' }),
    );
    expect(typesOf(run, 'source_last_significant')).toEqual(['saved', 'unknown', 'direct', 'ad:x', 'ad:x']);
  });

  // proves: decisions-analytics/history
  it('survive a pause of up to 90 days but no longer, even the first source', () => {
    const run = new VisitorRun();
    run.hits(event(0, { referrer: 'ad:x' }), event(90 * DAY), event(180 * DAY + 1, { referrer: 'saved' }));
    expect(typesOf(run, 'source_last_significant')).toEqual(['ad:x', 'ad:x', 'saved']);
    expect(typesOf(run, 'source_first')).toEqual(['ad:x', 'ad:x', 'saved']);
    expect(run.visits.map(({ visit_number: number }) => number)).toEqual([1, 2, 3]);
  });

  it('count the 90 days from the end of a visit', () => {
    const run = new VisitorRun();
    run.hits(
      event(0, { referrer: 'ad:x' }),
      event(20 * MINUTE),
      event(90 * DAY + 20 * MINUTE),
      event(180 * DAY + 20 * MINUTE + 1),
    );
    expect(typesOf(run, 'source_last_significant')).toEqual(['ad:x', 'ad:x', 'direct']);
    expect(typesOf(run, 'source_first')).toEqual(['ad:x', 'ad:x', 'direct']);
  });

  // proves: decisions-analytics/history
  it('count the 90 days from visit to visit, not from the source', () => {
    const run = new VisitorRun();
    run.hits(event(0, { referrer: 'ad:x' }), event(80 * DAY), event(160 * DAY), event(240 * DAY));
    expect(typesOf(run, 'source_last_significant').at(-1)).toBe('ad:x');
  });

  it('start again after visits that are no longer kept; numbers and dates continue', () => {
    const run = new VisitorRun();
    run.hits(event(0, { referrer: 'ad:x' }), event(DAY));
    run.forgetVisitsBefore(START + 100 * DAY);
    run.hits(event(200 * DAY), event(200 * DAY + MINUTE), event(201 * DAY));
    expect(run.visits).toMatchObject([
      {
        visit_number: 3,
        first_visit_at: START,
        previous_visit_at: START + DAY,
        source_first: { source_type: 'direct' },
      },
      { visit_number: 4, first_visit_at: START, previous_visit_at: START + 200 * DAY },
    ]);
    expect(run.visitor).toEqual({ visits: 4, firstVisitAt: START, lastVisitAt: START + 201 * DAY });
  });
});

describe('a visit, summed up', () => {
  // proves: report-rules/bounce
  it('is a bounce if it has one page view at most, is shorter than 15 seconds and has no goal', () => {
    const withGoals = (goals: number, ...events: ReturnType<typeof event>[]): boolean[] => {
      const run = new VisitorRun();
      run.hits(...events);
      return run.stored.map((visit) => visitRow(visit, goals).is_bounce);
    };
    const bounces = (...events: ReturnType<typeof event>[]): boolean[] => withGoals(0, ...events);
    expect(bounces(event(0))).toEqual([true]);
    expect(bounces(event(0, { type: 'event' }))).toEqual([true]);
    expect(bounces(event(0), event(14_999, { type: 'ping' }))).toEqual([true]);
    expect(bounces(event(0), event(15_000, { type: 'ping' }))).toEqual([false]);
    expect(bounces(event(0), event(10))).toEqual([false]);
    expect(bounces(event(0), event(10, { type: 'click' }))).toEqual([true]);
    expect(withGoals(1, event(0), event(10, { type: 'click' }))).toEqual([false]);
    expect(withGoals(1, event(0), event(15_000))).toEqual([false]);
  });

  it('has its first and last page views as entry and exit, whichever hits come first or last', () => {
    const run = new VisitorRun();
    run.hits(
      event(0, { type: 'event', url: 'https://shop.example/x' }),
      event(1, { url: 'HTTPS://Shop.Example:8443/%D0%B0?q=1#f' }),
      event(2, { url: 'https://shop.example/b' }),
      event(3, { type: 'click', url: 'https://shop.example/y' }),
    );
    expect(run.visits).toMatchObject([
      {
        entry_url: 'HTTPS://Shop.Example:8443/%D0%B0?q=1#f',
        entry_domain: 'shop.example',
        entry_path: '/%D0%B0',
        exit_path: '/b',
        hits: 4,
        pageviews: 2,
      },
    ]);
    const atOnce = new VisitorRun();
    atOnce.hits(event(0), event(0, { url: 'https://shop.example/b' }));
    expect(atOnce.visits).toMatchObject([{ entry_path: '/a', exit_path: '/b' }]);
    const none = new VisitorRun();
    none.hits(event(0, { type: 'event' }));
    expect(none.visits).toMatchObject([{ entry_url: null, entry_path: null, exit_url: null, pageviews: 0, hits: 1 }]);
  });

  it('has the params of its page views, the latest for each key, whenever they come', () => {
    const run = new VisitorRun();
    run.hits(
      event(10, { params: { a: 1, b: { c: [1] } } }),
      event(30, { params: { a: 3, __proto__: 'x' } }),
      event(20, { params: { a: 2, d: 2 } }),
      event(40, { type: 'event', params: { a: 4 } }),
      event(50, { params: JSON.parse('{"__proto__": 5}') as Record<string, unknown> }),
    );
    expect(JSON.parse(run.visits[0]?.params ?? '')).toEqual(
      JSON.parse('{"a": 3, "b": {"c": [1]}, "d": 2, "__proto__": 5}'),
    );
  });

  it('keeps at most 50 params', () => {
    const run = new VisitorRun();
    run.hits(
      ...Array.from({ length: 60 }, (_, index) => event(index, { params: { [`k${index}`]: index, k0: index } })),
    );
    const params = JSON.parse(run.visits[0]?.params ?? '') as Record<string, number>;
    expect(Object.keys(params).length).toBe(50);
    expect(params['k0']).toBe(59);
  });

  it('has the last user whom the site named in this visit', () => {
    const run = new VisitorRun();
    const user = (at: number, id: string) => event(at, { type: 'user', user: { user_id: id } });
    run.hits(
      event(0),
      user(20, 'b'),
      user(10, 'a'),
      event(100 * MINUTE),
      event(100 * MINUTE + 1, { type: 'user', user: { gender: 'male' } }),
    );
    expect(run.visits.map((row) => row.user_id)).toEqual(['b', null]);
    expect(run.outcome.users.length).toBe(3);
  });

  it('has the device of the first request that reports one', () => {
    const run = new VisitorRun();
    run.batch([
      { events: [event(0)], device: null },
      { events: [event(1)], device: { ...DEVICE, language: null } },
      { events: [event(2)], device: { ...DEVICE, window: '10x10' } },
    ]);
    expect(run.visits).toMatchObject([
      {
        screen_resolution: '1920x1080',
        window_size: '1200x800',
        browser_language: 'ru-RU',
        visitor_timezone: 'Europe/Moscow',
      },
    ]);
  });

  it('has hits with page, target and the visit that they belong to', () => {
    const run = new VisitorRun();
    run.hits(
      event(0),
      event(5, { type: 'outbound', target: 'https://Other.example/x?y', params: { k: 'ж' } }),
      event(6, { type: 'download', target: 'not an address' }),
    );
    const [visit] = run.visits;
    expect(run.outcome.hits).toMatchObject([
      {
        visit_id: visit?.visit_id,
        visit_started_at: START,
        page_domain: 'shop.example',
        page_path: '/a',
        target_domain: null,
        params: null,
      },
      { visit_id: visit?.visit_id, visit_started_at: START, target_domain: 'other.example', params: '{"k":"ж"}' },
      { target_domain: null },
    ]);
  });

  it('has its own id even if a tracker reuses the id of an event', () => {
    const run = new VisitorRun();
    const first = event(0);
    run.hits(first, { ...first, at: START + 3 * DAY });
    expect(new Set(run.visits.map((row) => row.visit_id)).size).toBe(2);
  });
});
