import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { CollectedEvent, CollectType } from '../../../domain/collect/collected.ts';
import { VISIT_PAUSE_MS } from '../../../domain/visits/visitPause.ts';
import { DEVICE, event, MINUTE, VisitorRun } from './visitorRun.ts';

const REFERRERS = [
  null,
  'organic:Google',
  'organic:Bing',
  'ad:x',
  'saved',
  'unknown',
  'https://shop.example/',
] as const;
const TYPES: readonly CollectType[] = ['pageview', 'pageview', 'pageview', 'event', 'click', 'ping', 'form', 'user'];

interface Given {
  pause: number;
  type: CollectType;
  referrer: string | null;
}

/** Pauses of a click, of a page, around the timeout of a visit, of days and of months. */
const pauses = fc.oneof(
  fc.integer({ min: 0, max: 60_000 }),
  fc.integer({ min: 0, max: 40 * MINUTE }),
  fc.constantFrom(VISIT_PAUSE_MS - 1, VISIT_PAUSE_MS, VISIT_PAUSE_MS + 1),
  fc.integer({ min: 0, max: 100 * 24 * 60 }).map((minutes) => minutes * MINUTE),
);
const givens = fc.array(
  fc.record({ pause: pauses, type: fc.constantFrom(...TYPES), referrer: fc.constantFrom(...REFERRERS) }),
  { minLength: 1, maxLength: 40 },
);
/** Where a transaction ends, and where a request does. */
const cuts = fc.array(fc.constantFrom('no', 'request', 'batch'), { minLength: 40, maxLength: 40 });

function inOrder(given: readonly Given[]): CollectedEvent[] {
  let at = 0;
  return given.map(({ pause, type, referrer }) => {
    at += pause;
    return event(at, { type, referrer, ...(type === 'user' && { user: { user_id: `u${at % 3}` } }) });
  });
}

function run(events: readonly CollectedEvent[], cut: readonly string[]): VisitorRun {
  const made = new VisitorRun();
  let batch: CollectedEvent[][] = [[]];
  for (const [index, one] of events.entries()) {
    if (cut[index] === 'batch') {
      made.batch(requestsOf(batch));
      batch = [[]];
    } else if (cut[index] === 'request') {
      batch.push([]);
    }
    batch.at(-1)?.push(one);
  }
  made.batch(requestsOf(batch));
  return made;
}

// Uses distant times of receipt, so that the number of requests does not matter.
const requestsOf = (batch: readonly CollectedEvent[][]) =>
  batch
    .filter((events) => events.length > 0)
    .map((events) => ({ events, device: DEVICE, receivedAt: (events[0]?.at ?? 0) * 1000 }));

const conversionsAndHits = ({ outcome }: VisitorRun) =>
  outcome.hits.map(({ hit_id: hit, visit_id: visit, weight }) => [hit, visit, weight]);

describe('for any input', () => {
  it('hits in order make the same visits, however they are split into requests and transactions', () => {
    fc.assert(
      fc.property(givens, cuts, (given, cut) => {
        const events = inOrder(given);
        const whole = run(events, []);
        const parts = run(events, cut);
        expect(parts.visits).toEqual(whole.visits);
        expect(parts.visitor).toEqual(whole.visitor);
        expect(conversionsAndHits(parts)).toEqual(conversionsAndHits(whole));
      }),
      { numRuns: 400 },
    );
  });

  it('hits hold the start of their visit; late hits move it back by no more than events may be late', () => {
    fc.assert(
      fc.property(
        givens,
        fc.array(fc.nat(40 * MINUTE), { minLength: 40, maxLength: 40 }),
        fc.integer({ min: 0, max: 100 * MINUTE }),
        (given, delays, allowed) => {
          const sent = inOrder(given)
            .map((one, index) => ({ one, receivedAt: one.at + (delays[index] ?? 0) * 5 }))
            .sort((a, b) => a.receivedAt - b.receivedAt);
          const made = new VisitorRun();
          const taken = sent.filter(({ one, receivedAt }) => receivedAt - one.at <= allowed);
          for (const { one, receivedAt } of taken) made.batch([{ events: [one], device: DEVICE, receivedAt }]);
          const starts = new Map(made.visits.map((visit) => [visit.visit_id, visit.started_at]));
          for (const hit of made.outcome.hits) {
            const moved = hit.visit_started_at - (starts.get(hit.visit_id) ?? Number.NaN);
            expect(moved).toBeGreaterThanOrEqual(0);
            expect(moved).toBeLessThanOrEqual(allowed);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it('late hits follow the rules, and visits stay apart', () => {
    fc.assert(
      fc.property(givens, fc.array(fc.nat(), { minLength: 40, maxLength: 40 }), (given, order) => {
        const events = inOrder(given)
          .map((one, index) => ({ one, key: order[index] ?? 0 }))
          .sort((a, b) => a.key - b.key)
          .map(({ one }) => one);
        // A tenth of the visitors is kept completely beyond the quota.
        const made = new VisitorRun({ hitsPerDay: 5, bucket: 20 });
        for (const one of events) {
          const before = made.visits;
          made.batch([{ events: [one], device: DEVICE, receivedAt: one.at * 1000 }]);
          expectRule(before, one, made);
        }
        expectWhole(made, events);
      }),
      { numRuns: 300 },
    );
  });
});

/** Checks the rule of late hits, implemented independently of the code. */
function expectRule(before: VisitorRun['visits'], { at, key, type }: CollectedEvent, made: VisitorRun): void {
  const hit = made.outcome.hits.find(({ hit_id: id }) => id === key);
  const holding = before.findLast((visit) => visit.started_at <= at && at <= visit.ended_at + VISIT_PAUSE_MS);
  const following = before.find((visit) => visit.started_at > at && visit.started_at <= at + VISIT_PAUSE_MS);
  const isNew = hit !== undefined && before.every((visit) => visit.visit_id !== hit.visit_id);
  if (type === 'ping' && holding === undefined) {
    expect(hit).toBeUndefined();
  } else if (isNew) {
    // No visit covers the hit, or the hit is in order and its source begins a visit.
    const isLast = before.every((visit) => visit.ended_at <= at);
    expect((holding === undefined && following === undefined) || (isLast && type === 'pageview')).toBe(true);
  } else {
    expect(hit?.visit_id).toBe((holding ?? following)?.visit_id);
  }
}

/** Checks that nothing is lost, duplicated or in two places, and that the result equals that of ordered hits. */
function expectWhole(made: VisitorRun, events: readonly CollectedEvent[]): void {
  const { visits, outcome } = made;
  expect(outcome.hits.length + outcome.dropped.ping).toBe(events.length);
  expect(visits.reduce((sum, visit) => sum + visit.hits, 0)).toBe(events.filter(({ type }) => type !== 'ping').length);
  expect(visits.reduce((sum, visit) => sum + visit.pageviews, 0)).toBe(
    events.filter(({ type }) => type === 'pageview').length,
  );
  expect(visits.map((visit) => visit.visit_number)).toEqual(visits.map((_, index) => index + 1));
  expect(made.visitor.visits).toBe(visits.length);
  expect(visits.reduce((sum, visit) => sum + visit.weighted_hits, 0)).toBe(
    outcome.hits.filter(({ type }) => type !== 'ping').reduce((sum, hit) => sum + hit.weight, 0),
  );
  for (const [index, visit] of visits.entries()) {
    const next = visits[index + 1];
    if (next) expect(visit.ended_at).toBeLessThanOrEqual(next.started_at);
    expect(visit.previous_visit_at).toBe(visits[index - 1]?.started_at ?? null);
    expect(visit.first_visit_at).toBe(visits[0]?.started_at);
    const own = outcome.hits.filter(({ visit_id: id }) => id === visit.visit_id).map(({ at }) => at);
    expect([visit.started_at, visit.ended_at]).toEqual([Math.min(...own), Math.max(...own)]);
  }
}
