import { describe, expect, it } from '@jest/globals';
import { DEFAULT_EVENT_TYPES } from '../../domain/events/eventTypes.ts';
import { engagement, itemSignals, type Interaction } from '../../domain/output/itemSignals.ts';

const DAY_MS = 86_400_000;
const NOW = Date.parse('2026-11-20T12:00:00Z');
const types = new Map(DEFAULT_EVENT_TYPES.map((type) => [type.code, type]));
const met = (itemId: string, type: string, data: Partial<Interaction> = {}): Interaction => ({
  itemId,
  type,
  value: null,
  occurredAt: NOW,
  ...data,
});
const weights = (...events: Interaction[]) =>
  Object.fromEntries(itemSignals(events, types, NOW).map(({ item, weight }) => [item, weight]));

describe('the engagement of a value', () => {
  // proves: output-shown/signals
  it('follows the highest threshold that it reaches', () => {
    const map = { 0: 0.1, 25: 0.5, 9: 0.2, 95: 2 };
    expect([0, 8.9, 9, 25, 94, 95, 400].map((value) => engagement(map, value))).toEqual([
      0.1, 0.1, 0.2, 0.5, 0.5, 2, 2,
    ]);
  });

  it('is 1 without a value, without thresholds and below all of them', () => {
    expect([engagement({ 5: 3 }, null), engagement(null, 7), engagement({ 5: 3 }, 4)]).toEqual([1, 1, 1]);
    expect(engagement({ '-1': -2, 0: 1 }, -0.5)).toBe(-2);
  });
});

describe('the signals of a person', () => {
  // proves: output-shown/signals
  it('are the weights of the types times the engagement, all events of an item together', () => {
    expect(weights(met('a', 'open'), met('a', 'view', { value: 96 }), met('b', 'view', { value: 3 }))).toEqual({
      a: 3,
      b: 0.1,
    });
  });

  // proves: output-shown/negative-weights
  it('count a dislike against the other events of its item', () => {
    expect(weights(met('a', 'open'), met('a', 'dislike', { value: 1 }))).toEqual({ a: -3 });
  });

  // proves: output-shown/signals
  it('decay with age to a half, and nothing in the future weighs more than now', () => {
    const ago = (days: number) => ({ occurredAt: NOW - days * DAY_MS });
    const {
      now = 0,
      older = 0,
      oldest = 0,
      ahead = 0,
    } = weights(
      met('now', 'like'),
      met('older', 'like', ago(60)),
      met('oldest', 'like', ago(600)),
      met('ahead', 'like', ago(-1)),
    );
    expect([now, older, ahead]).toEqual([3, 2.25, 3]);
    expect(oldest).toBeCloseTo(1.5, 2);
  });

  it('begin with the item of the latest event, whatever the type of the event', () => {
    const at = (minutes: number) => ({ occurredAt: NOW - minutes * 60_000 });
    const signals = itemSignals(
      [met('a', 'open', at(30)), met('b', 'like', at(20)), met('a', 'favourite', at(10)), met('c', 'open', at(15))],
      types,
      NOW,
    );
    expect(signals.map(({ item }) => item)).toEqual(['a', 'c', 'b']);
  });

  it('ignore types without weight, or types that the project does not have', () => {
    expect(weights(met('a', 'impression'), met('b', 'unheard-of'))).toEqual({});
  });
});
